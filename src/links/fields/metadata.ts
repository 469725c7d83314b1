import { metadata, metadataOrValue } from './metadata-json.ts';
import { field } from './field.ts';

/** The owner's JSON text, kept byte for byte. */
export const metadataField = field({
  label: 'Metadata',
  stored: 'text',
  isClearable: true,
  description: 'The JSON text that was sent, byte for byte',
  isPublished: true,
  isSearched: false,
  visitorsNeed: 'never',
  schemas: () => ({
    create: metadata(),
    createJson: metadataOrValue(),
    edit: metadataOrValue(),
    row: metadataOrValue(),
  }),
  editDescription: 'Metadata, as a JSON text or as the value itself; null clears it',
  input: {
    kind: 'lines',
    section: 'developers',
    isCode: true,
  },
});

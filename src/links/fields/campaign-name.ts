import { textUpTo, WITHOUT_CONTROLS } from '../../validation.ts';
import { field } from './field.ts';

const campaignName = textUpTo(128)
  .regex(WITHOUT_CONTROLS, 'must not contain control characters')
  .meta({ description: 'Campaign name, without control characters', example: 'Spring 2026' });

/** The campaign under which clicks are counted. */
export const campaignNameField = field({
  label: 'Campaign',
  stored: 'text',
  isClearable: true,
  description: 'The campaign of the link; null if it has none',
  isPublished: true,
  isSearched: false,
  create: campaignName,
  edit: campaignName.min(1, 'must not be empty: null clears it'),
  row: campaignName,
  input: {
    kind: 'line',
    createHint: 'Its clicks are counted together.',
    editHint: 'Counts for clicks from now on.',
  },
});

import { textUpTo } from '../../input/schemas.ts';
import { field } from './field.ts';

const MOST = 128;

/** The id of the link in another system, by which it is found. No two links of a client have the same one. */
export const externalIdField = field({
  label: 'External ID',
  stored: 'text',
  isClearable: true,
  description: 'The id of the link in your own system; null if it has none',
  isPublished: false,
  isSearched: true,
  visitorsNeed: 'never',
  schemas: () => {
    const externalId = textUpTo(MOST)
      .regex(/^[!-~]+$/, `must be 1 to ${MOST} visible ASCII characters without spaces`)
      .meta({
        description:
          'The id of the link in your own system: 1 to 128 visible ASCII characters, which no other link has',
        example: 'product-4712',
      });
    return { create: externalId, edit: externalId, row: externalId };
  },
  input: {
    kind: 'line',
    section: 'developers',
    isCode: true,
  },
});

import { instant, instantOfRow } from '../../input/schemas.ts';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';

/** The instant before which visitors get 404. */
export const startsAtField = field({
  label: 'Starts',
  ...VISITOR_FIELDS.starts_at,
  description: 'When the link begins to redirect; null if it does from its creation on',
  isPublished: false,
  isSearched: false,
  schemas: () => {
    const about = { description: 'When the link begins to redirect', example: '2027-01-01T00:00:00Z' };
    const start = instant().meta(about);
    return { create: start, edit: start, row: instantOfRow().meta(about) };
  },
  input: {
    kind: 'instant',
    section: 'schedule',
  },
});

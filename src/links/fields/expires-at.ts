import { futureInstant, instantOfRow } from '../../input/validation.ts';
import { field } from './field.ts';

/** The instant from which visitors get 410. */
export const expiresAtField = field({
  label: 'Expires',
  stored: 'instant',
  isClearable: true,
  description: 'When the link expires; null for never',
  isPublished: false,
  isSearched: false,
  visitorsNeed: 'always',
  schemas: () => {
    const inFuture = futureInstant().meta({ description: 'When the link expires', example: '2099-12-31T00:00:00Z' });
    // A file may have links that have expired.
    return { create: inFuture, edit: inFuture, row: instantOfRow() };
  },
  input: {
    kind: 'instant',
    section: 'schedule',
    hint: 'After that, visitors see a page that says the link is no longer available.',
    editHint: '',
  },
  absence: 'Never',
});

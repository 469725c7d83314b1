import { futureInstant, instantOfRow } from '../../input/schemas.ts';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';

/** The instant at which 410 begins for visitors. */
export const expiresAtField = field({
  label: 'Expires',
  ...VISITOR_FIELDS.expires_at,
  description: 'When the link expires; null for never',
  isPublished: false,
  isSearched: false,
  schemas: () => {
    const inFuture = futureInstant().meta({ description: 'When the link expires', example: '2099-12-31T00:00:00Z' });
    // A file may have links that have expired.
    return { create: inFuture, edit: inFuture, row: instantOfRow() };
  },
  input: {
    kind: 'instant',
    section: 'schedule',
  },
});

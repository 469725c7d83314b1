import * as z from 'zod';
import { field } from './field.ts';

/** True if visitors get 410; stored as `disabled_at`. */
export const disabledField = field({
  label: 'Disabled',
  isClearable: false,
  description: 'Whether the link is disabled',
  isPublished: false,
  isSearched: false,
  visitorsNeed: 'never',
  schemas: () => ({
    edit: z.boolean().meta({ description: 'Whether the link is disabled; visitors get 410' }),
    row: z.boolean(),
  }),
});

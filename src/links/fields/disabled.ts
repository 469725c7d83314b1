import * as z from 'zod';
import { field } from './field.ts';

/** Whether visitors get 410; stored as `disabled_at`. */
export const disabledField = field({
  label: 'Disabled',
  isClearable: false,
  description: 'Whether the link is turned off',
  isPublished: false,
  isSearched: false,
  isForVisitors: false,
  edit: z.boolean().meta({ description: 'Whether the link answers 410 for the time being' }),
  row: z.boolean(),
});

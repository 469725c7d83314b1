import * as z from 'zod';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';

export const MAX_CLICK_LIMIT = 1_000_000_000;
const error = `must be a whole number from 1 to ${MAX_CLICK_LIMIT}`;
const meta = { description: 'How many visits by people are redirected; after that, visitors get 410' };

/** The number of visits by people that are redirected. */
export const maxClicksField = field({
  label: 'Click limit',
  ...VISITOR_FIELDS.max_clicks,
  description: 'How many visits by people are redirected; null for no limit',
  isPublished: false,
  isSearched: false,
  schemas: () => {
    const number = z
      .int({ error })
      .min(1, error)
      .max(MAX_CLICK_LIMIT, error)
      .meta({ ...meta, example: 500 });
    const text = z
      .string()
      .regex(/^[1-9]\d{0,9}$/, error)
      .transform(Number)
      .pipe(number)
      .meta({ ...meta, example: '500' });
    return { create: text, createJson: number, edit: number, row: z.union([number, text], { error }) };
  },
  input: {
    kind: 'count',
    section: 'schedule',
  },
});

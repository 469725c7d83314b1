import * as z from 'zod';
import { field } from './field.ts';

const error = 'must be a whole number from 0 to 9007199254740991';

/** The number of clicks of the link at the service that it was imported from. Only an import sets it. */
export const importedClicksField = field({
  label: 'Imported clicks',
  stored: 'integer',
  isClearable: true,
  description: 'The clicks before the import, which are not in the statistics; null if none were imported',
  isPublished: false,
  isSearched: false,
  visitorsNeed: 'never',
  // A newer export of the same links has more clicks, and names the same links.
  isNotCompared: true,
  schemas: () => {
    const number = z.int({ error }).min(0, error).meta({ description: 'The clicks before the import', example: 1234 });
    const text = z
      .string()
      .regex(/^\d{1,16}$/, error)
      .transform(Number)
      .pipe(number);
    return { row: z.union([number, text], { error }) };
  },
});

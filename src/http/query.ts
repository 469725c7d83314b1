import { AppError } from '../errors.ts';
import { quote } from '../validation.ts';
import type { Asked } from './env.ts';

/** Reads the query into one text per parameter; an empty one counts as absent. Throws `repeated_field`. */
export function readQuery(c: Asked): Record<string, string> {
  const { searchParams } = c.var.site.requestUrl;
  for (const name of searchParams.keys()) {
    if (searchParams.getAll(name).length > 1) {
      throw new AppError('repeated_field', `The parameter ${quote(name)} is given more than once.`);
    }
  }
  return Object.fromEntries([...searchParams].filter(([, value]) => value !== ''));
}

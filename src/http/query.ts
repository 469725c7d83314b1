import { AppError } from '../errors.ts';
import { joinErrors } from '../input/field-errors.ts';
import { fieldError, MAX_FAULTS } from '../input/validation.ts';
import { quote } from '../text/quote.ts';
import type { RequestContext } from './env.ts';

const MAX_CHARACTERS = 8192;
// The 100 links that a page may name, and its other parameters.
const MAX_PARAMETERS = 110;

/**
 * Reads the query into one text per parameter; an empty one counts as absent. Throws `too_long` for more than 8,192
 * characters or 110 parameters, and `repeated_field` with all such parameters.
 */
export function readQuery(c: RequestContext): Record<string, string> {
  return readQueryAndLists(c, []).fields;
}

/** Like `readQuery`, with all values of the parameters that may be repeated; an empty one of them counts as absent. */
export function readQueryAndLists(
  c: RequestContext,
  repeatable: readonly string[],
): { readonly fields: Record<string, string>; readonly lists: Readonly<Partial<Record<string, readonly string[]>>> } {
  const { search, searchParams } = c.var.site.requestUrl;
  if (search.length > MAX_CHARACTERS) throw tooLong(`${MAX_CHARACTERS} characters`);
  if (searchParams.size > MAX_PARAMETERS) throw tooLong(`${MAX_PARAMETERS} parameters`);
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const faults: AppError[] = [];
  for (const [name, value] of searchParams) {
    if (repeatable.includes(name)) {
      if (value !== '') lists.set(name, [...(lists.get(name) ?? []), value]);
      continue;
    }
    if (values.has(name)) {
      faults.push(fieldError('repeated_field', name, `The parameter ${quote(name)} is given more than once.`));
    }
    values.set(name, value);
  }
  if (faults.length > 0) throw joinErrors(faults.slice(0, MAX_FAULTS))!;
  return {
    fields: Object.fromEntries([...values].filter(([, value]) => value !== '')),
    lists: Object.fromEntries(lists),
  };
}

function tooLong(bound: string): AppError {
  return new AppError(
    'too_long',
    `The query may have at most ${bound}. Leave out parameters that this endpoint does not accept.`,
  );
}

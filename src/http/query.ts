import { AppError, joinErrors } from '../errors.ts';
import { fieldError, MAX_FAULTS, quote } from '../validation.ts';
import type { RequestContext } from './env.ts';

const MAX_CHARACTERS = 8192;
// The 100 links that a page may name, and its other parameters.
const MAX_PARAMETERS = 110;

/**
 * Reads the query into one text per parameter; an empty one counts as absent. Throws `too_long` for more than 8,192
 * characters or 110 parameters, and `repeated_field` with all such parameters.
 */
export function readQuery(c: RequestContext): Record<string, string> {
  return readQueryAndList(c, null).fields;
}

/** Like `readQuery`, and all values of one parameter that may be repeated. */
export function readQueryAndList(
  c: RequestContext,
  listed: string | null,
): { readonly fields: Record<string, string>; readonly list: readonly string[] } {
  const { search, searchParams } = c.var.site.requestUrl;
  if (search.length > MAX_CHARACTERS) throw tooLong(`${MAX_CHARACTERS} characters`);
  if (searchParams.size > MAX_PARAMETERS) throw tooLong(`${MAX_PARAMETERS} parameters`);
  const values = new Map<string, string>();
  const list: string[] = [];
  const faults: AppError[] = [];
  for (const [name, value] of searchParams) {
    if (name === listed) {
      list.push(value);
      continue;
    }
    if (values.has(name)) {
      faults.push(fieldError('repeated_field', name, `The parameter ${quote(name)} is given more than once.`));
    }
    values.set(name, value);
  }
  const refusal = joinErrors(faults.slice(0, MAX_FAULTS));
  if (refusal) throw refusal;
  return { fields: Object.fromEntries([...values].filter(([, value]) => value !== '')), list };
}

function tooLong(bound: string): AppError {
  return new AppError(
    'too_long',
    `The query may have at most ${bound}. Leave out parameters that this endpoint does not accept.`,
  );
}

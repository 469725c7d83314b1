import { AppError } from '../../errors.ts';
import { UTM_NAMES, utmFields, type Utm } from '../../links/destinations/utm.ts';
import { parseFields } from '../../input/validation.ts';

/** The parameters of a template as a text that can be kept: a query. */

/** The text of the parameters of a form. Throws the first fault, and `invalid_query` if there are none. */
export function contentOf(fields: Readonly<Record<string, string>>): string {
  const utm = parseFields(
    utmFields(),
    Object.fromEntries(UTM_NAMES.map((name) => [name, (fields[name] ?? '').trim()])),
  );
  const set = UTM_NAMES.flatMap((name) => (utm[name] === undefined ? [] : [[name, utm[name]]]));
  if (set.length === 0) throw new AppError('invalid_query', 'Enter at least one parameter.');
  return new URLSearchParams(set).toString();
}

/** The parameters of such a text. */
export const utmOf = (content: string): Utm =>
  utmFields().parse(Object.fromEntries([...new URLSearchParams(content)].filter(([, text]) => text !== '')));

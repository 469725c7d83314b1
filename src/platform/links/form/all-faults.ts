import type { Context } from 'hono';
import type { PlatformEnv } from '../../env.ts';
import { submit } from '../../forms/form.ts';
import type { Sentence } from '../../words.tsx';
import { inputAt } from '../routes/draft.ts';

type Texts = Readonly<Record<string, string>>;

// Each turn finds what the errors before it have hidden.
const MOST_TURNS = 8;

/**
 * All errors of a form by the names of its fields. A check ends at the first error of its kind, so that it is repeated
 * without the fields whose errors are known: the error of a field stays until that field is right, whatever else is typed.
 *
 * @param neutral the form with something valid in place of a field
 */
export async function allFaultsOf(
  c: Context<PlatformEnv>,
  fields: Texts,
  check: (fields: Texts) => Promise<unknown>,
  neutral: (fields: Texts, name: string) => Texts,
): Promise<Record<string, Sentence>> {
  const faults: Record<string, Sentence> = {};
  let rest = fields;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const sent = await submit(c, rest, () => check(rest), {}, inputAt);
    const found = sent.ok ? [] : Object.entries(sent.form.faults).filter(([name]) => !Object.hasOwn(faults, name));
    if (found.length === 0) break;
    for (const [name, sentence] of found) {
      faults[name] = sentence;
      rest = neutral(rest, name);
    }
  }
  return faults;
}

/** A form without a list of rules or variants, in which an error was found; null if a name is of neither. */
export function withoutList(fields: Texts, name: string): Texts | null {
  const [list = ''] = name.split('.', 1);
  if (list !== 'rules' && list !== 'variants') return null;
  const others = Object.entries(fields).filter(([each]) => !each.startsWith(`${list}.`));
  return { ...Object.fromEntries(others), [list]: '0' };
}

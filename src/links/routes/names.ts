import { AppError } from '../../errors.ts';
import { foldCase, isSeen } from '../../text/look-alikes.ts';
import { lineUpTo } from '../fields/line.ts';

/** The names of rules and variants, by which click statistics and people distinguish the destinations of a link. */

const MAX_NAME = 50;

/** The name of the destination for which no rule and no variant decides. */
export const DEFAULT_NAME = 'default';

const SHARED = 'must differ from the names of the other rules and variants of the link, regardless of case';

/** The schema of a name. */
export const routeName = () =>
  lineUpTo(MAX_NAME)
    .trim()
    .refine(isSeen, { error: 'must not be empty: leave it out', abort: true })
    .refine((name) => foldCase(name) !== DEFAULT_NAME, {
      error: `must not be "${DEFAULT_NAME}", the name of the destination without a rule or variant`,
    })
    .meta({
      description: 'A name, unique among the rules and variants of the link, regardless of case',
      brief: 'Unique in the link',
    });

interface Named {
  readonly name: string;
}

/**
 * Gives each item without a name the first one that is free.
 *
 * @param nameOf the names for such items, by index: "Rule 1", "Rule 2"
 */
export function withNames<Item extends { readonly name?: string | undefined }>(
  items: readonly Item[],
  nameOf: (index: number) => string,
): (Item & Named)[] {
  const taken = new Set(items.map(({ name }) => (name === undefined ? '' : foldCase(name))));
  let next = 0;
  const newName = () => {
    while (taken.has(foldCase(nameOf(next)))) next += 1;
    next += 1;
    return nameOf(next - 1);
  };
  return items.map(({ name, ...rest }) => ({ name: name ?? newName(), ...rest }) as Item & Named);
}

/** The error of the first item of a list whose name an item before it has, for `check` of its schema. */
export function refuseRepeatedNames({
  value,
  issues,
}: {
  readonly value: readonly Named[];
  readonly issues: { push(issue: { code: 'custom'; message: string; input: unknown; path: PropertyKey[] }): void };
}): void {
  const index = sharedNameIn(value, []);
  if (index !== null) issues.push({ code: 'custom', message: SHARED, input: value, path: [index, 'name'] });
}

/**
 * Refuses a rule and a variant with the same name. Within each list, the schema has refused that.
 *
 * @param edited the list that the error names, as far as only one was sent
 */
export function refuseSharedNames(
  rules: readonly Named[],
  variants: readonly Named[],
  edited: 'rules' | 'variants' = 'variants',
): void {
  const index = edited === 'rules' ? sharedNameIn(rules, variants) : sharedNameIn(variants, rules);
  if (index === null) return;
  const place = `${edited}.${index}.name`;
  const detail = `${place} ${SHARED}.`;
  const fault = { field: edited, place, sentence: `This ${SHARED}.`, detail };
  throw new AppError(`invalid_${edited}`, detail, { faults: [fault] });
}

/** The index of the first item whose name another one before it, or one of the others, has. */
function sharedNameIn(items: readonly Named[], others: readonly Named[]): number | null {
  const taken = new Set(others.map(({ name }) => foldCase(name)));
  const index = items.findIndex(({ name }) => taken.size === taken.add(foldCase(name)).size);
  return index === -1 ? null : index;
}

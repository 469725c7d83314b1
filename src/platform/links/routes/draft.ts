import { AppError } from '../../../errors.ts';
import type { PageWords } from '../../words.tsx';

/**
 * The rules and variants of a form as they were typed, and the fields in which they are sent: `rules.0.url`,
 * `rules.0.if.1.type`, `variants.0.weight`. The fields `rules`, `rules.0.if` and `variants` are the lengths of the lists.
 */

type Texts = Readonly<Record<string, string>>;

/** The texts of a condition by the names of its inputs, such as `type` and `in`. */
export type ConditionDraft = Texts;

export interface RuleDraft {
  readonly name: string;
  readonly url: string;
  readonly if: readonly ConditionDraft[];
}

export interface VariantDraft {
  readonly name: string;
  readonly url: string;
  readonly weight: string;
}

export interface RoutesDraft {
  readonly rules: readonly RuleDraft[];
  readonly variants: readonly VariantDraft[];
}

/** The name that a rule gets if it is not typed, by its index. */
export const nameOfRule =
  ({ text }: PageWords) =>
  (index: number): string =>
    text('routes.rule', { number: index + 1 });

/** The letter of a variant, by its index. */
export const letterOf = (index: number): string => String.fromCodePoint(0x41 + index);

/** The name that a variant gets if it is not typed, by its index. */
export const nameOfVariant =
  ({ text }: PageWords) =>
  (index: number): string =>
    text('routes.variant', { letter: letterOf(index) });

export const MOST = { rules: 20, conditions: 20, variants: 8 } as const;

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const CONDITION_TEXTS = ['type', 'not', 'in', 'name', 'from', 'until', 'tz', ...DAYS.map((day) => `days.${day}`)];

/** A form without the rules and variants that it has; null if it is of a page that did not show them. */
interface TakenDraft {
  readonly draft: RoutesDraft | null;
  readonly rest: Record<string, string>;
}

/** Takes the rules and variants out of the fields of a form. Throws `malformed_body`. */
export function takeDraft(fields: Texts): TakenDraft {
  if (fields['rules'] === undefined || fields['variants'] === undefined) return { draft: null, rest: { ...fields } };
  const rest = new Map(Object.entries(fields));
  const take = (name: string) => {
    const text = rest.get(name) ?? '';
    rest.delete(name);
    return text;
  };
  const list = <Item>(name: string, most: number, itemAt: (place: string) => Item) =>
    Array.from({ length: lengthOf(take(name), most) }, (_, index) => itemAt(`${name}.${index}`));
  const conditionAt = (place: string): ConditionDraft =>
    Object.fromEntries(
      CONDITION_TEXTS.map((name) => [name, take(`${place}.${name}`)]).filter(([, text]) => text !== ''),
    );
  const rules = list('rules', MOST.rules, (place) => ({
    name: take(`${place}.name`),
    url: take(`${place}.url`),
    if: list(`${place}.if`, MOST.conditions, conditionAt),
  }));
  const variants = list('variants', MOST.variants, (place) => ({
    name: take(`${place}.name`),
    url: take(`${place}.url`),
    weight: take(`${place}.weight`),
  }));
  return { draft: { rules, variants }, rest: Object.fromEntries(rest) };
}

function lengthOf(text: string, most: number): number {
  const length = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (length <= most) return length;
  throw new AppError('malformed_body', 'The form is incomplete. Open its page again.');
}

/** The fields in which a form sends them. */
export function draftFields({ rules, variants }: RoutesDraft): Record<string, string> {
  const pairs = [
    ['rules', String(rules.length)],
    ...rules.flatMap(({ name, url, if: conditions }, index) => [
      [`rules.${index}.name`, name],
      [`rules.${index}.url`, url],
      [`rules.${index}.if`, String(conditions.length)],
      ...conditions.flatMap((texts, at) =>
        Object.entries(texts).map(([name, text]) => [`rules.${index}.if.${at}.${name}`, text]),
      ),
    ]),
    ['variants', String(variants.length)],
    ...variants.flatMap((variant, index) =>
      Object.entries(variant).map(([name, text]) => [`variants.${index}.${name}`, text]),
    ),
  ];
  return Object.fromEntries(pairs);
}

// How many parts the name of the innermost input of a field has: `rules.0.if.1.in`.
const PARTS: Readonly<Record<string, number>> = { rules: 5, variants: 3, preview: 2 };

/** The input of a form that has a place of the API's fields, such as `rules.0.if.1.in` for `rules.0.if.1.in.7`. */
export function inputAt(place: string): string {
  const parts = place.split('.', 6);
  return parts.slice(0, PARTS[parts[0] ?? ''] ?? 1).join('.');
}

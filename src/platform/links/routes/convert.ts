import type { Condition } from '../../../links/routes/conditions/table.ts';
import type { Rule } from '../../../links/routes/stored-routes.ts';
import type { Variant } from '../../../links/routes/stored-routes.ts';
import { fromWallTime, toWallTime } from '../../../time/wall-time.ts';
import type { PageWords } from '../../words.tsx';
import { typedUrl } from '../display-url.ts';
import { tickedDays } from './actions.ts';
import { DAYS, type ConditionDraft, type RuleDraft, type VariantDraft } from './draft.ts';
import { readValueText, toValueText } from './value-list.ts';
import { nameOf, valueOf } from './value-names.ts';

/**
 * Converts between what is typed into a form and the rules and variants of the API. Times of conditions on the date are
 * those of the user's clocks, to the minute, and values have their names in the language of the page.
 */

export function toRuleDrafts(words: PageWords, rules: readonly Rule[], timeZone: string): RuleDraft[] {
  return rules.map(({ name, url, if: conditions }) => ({
    name,
    url: typedUrl(url),
    if: conditions.map((condition) => toConditionDraft(words, condition, timeZone)),
  }));
}

function toConditionDraft(words: PageWords, condition: Condition, timeZone: string): ConditionDraft {
  const { type, not, ...texts } = { ...condition, ...textsOf(words, condition, timeZone) };
  const shown = { type, ...(not && { not: 'true' }), ...texts };
  return Object.fromEntries(
    Object.entries(shown).filter(([, text]) => typeof text === 'string' && text !== ''),
  ) as never;
}

function textsOf(
  words: PageWords,
  condition: Condition,
  timeZone: string,
): Readonly<Record<string, string | undefined>> {
  const wallTime = (instant: string | undefined) =>
    instant === undefined ? undefined : toWallTime(Date.parse(instant), timeZone);
  switch (condition.type) {
    case 'date':
      return { from: wallTime(condition.from), until: wallTime(condition.until) };
    case 'hours':
      return Object.fromEntries(condition.days?.map((day) => [`days.${day}`, 'on']) ?? []);
    default:
      return {
        in:
          condition.in === undefined
            ? undefined
            : toValueText(condition.in.map((value) => nameOf(words, condition.type, value))),
      };
  }
}

/** A rule as the API takes it, if it is valid. */
interface RuleOfForm {
  readonly name?: string;
  readonly if: readonly unknown[];
  readonly url: string;
}

/** A variant as the API takes it, if it is valid. */
interface VariantOfForm {
  readonly name?: string;
  readonly url: string;
  readonly weight: number | string;
}

/**
 * The rules as the API takes them. A condition that is still as the form has shown it stays as it is stored, with the
 * seconds that no form shows.
 *
 * @param stored the rules of the link before
 */
export function fromRuleDrafts(
  words: PageWords,
  drafts: readonly RuleDraft[],
  timeZone: string,
  stored: readonly Rule[] = [],
): RuleOfForm[] {
  const known = Map.groupBy(
    stored.flatMap((rule) => rule.if),
    (condition) => keyOf(toConditionDraft(words, condition, timeZone)),
  );
  // Conditions that the form shows alike, such as two instants of one minute, keep their order.
  const storedAs = (texts: ConditionDraft): unknown => {
    const alike = known.get(keyOf(texts));
    return alike !== undefined && alike.length > 1 ? alike.shift() : alike?.[0];
  };
  return drafts.map(({ name, url, if: conditions }) => ({
    ...(name !== '' && { name: name.trim() }),
    if: conditions.map((texts) => storedAs(texts) ?? fromConditionDraft(words, texts, timeZone)),
    url,
  }));
}

const SHARED = ['type', 'not'];
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  query: ['name', 'in'],
  date: ['from', 'until'],
  hours: ['from', 'until', 'tz', ...DAYS.map((day) => `days.${day}`)],
};
const LIST = ['in'];

/** The inputs into which a condition of this type is typed; texts of another type, chosen before, do not count. */
const inputsOf = (type: string): readonly string[] => (Object.hasOwn(TEXTS, type) ? TEXTS[type]! : LIST);

const keyOf = (texts: ConditionDraft): string =>
  JSON.stringify([...SHARED, ...inputsOf(texts['type'] ?? '')].map((name) => texts[name] ?? ''));

function fromConditionDraft(words: PageWords, texts: ConditionDraft, timeZone: string): unknown {
  const { type = '', not, name = '', from = '', until = '', tz = '' } = texts;
  const values = readValueText(texts['in'] ?? '').map((text) => valueOf(words, type, text));
  const instant = (text: string) => {
    const at = fromWallTime(text, timeZone);
    return at === null ? text : new Date(at).toISOString();
  };
  const own = () => {
    if (type === 'query') return { name, ...(values.length > 0 && { in: values }) };
    if (type === 'date')
      return { ...(from !== '' && { from: instant(from) }), ...(until !== '' && { until: instant(until) }) };
    if (type !== 'hours') return { in: values };
    const days = tickedDays(texts);
    return { ...(days.length > 0 && { days }), from, until, tz };
  };
  return { type, ...own(), ...(not === 'true' && { not: true }) };
}

export function toVariantDrafts(variants: readonly Variant[]): VariantDraft[] {
  return variants.map(({ name, url, weight }) => ({ name, url: typedUrl(url), weight: String(weight) }));
}

/** The variants as the API takes them. */
export function fromVariantDrafts(drafts: readonly VariantDraft[]): VariantOfForm[] {
  return drafts.map(({ name, url, weight }) => ({
    ...(name !== '' && { name: name.trim() }),
    url,
    weight: /^\d{1,9}$/.test(weight) ? Number(weight) : weight,
  }));
}

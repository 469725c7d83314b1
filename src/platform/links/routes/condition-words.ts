import { perLanguage } from '../../../languages/per-language.ts';
import { shownInstant } from '../../../links/routes/conditions/date.ts';
import type { Condition, ConditionOf } from '../../../links/routes/conditions/table.ts';
import { quote } from '../../../text/quote.ts';
import type { PageWords, PlainKey, WordKey } from '../../words.tsx';
import type { DAYS } from './draft.ts';
import { anyNameOf } from './value-names.ts';

/** The conditions of rules in words. In English these are those of the API. */

/** The name of a type of conditions. */
export const typeOf = ({ text }: PageWords, type: Condition['type']): string => text(`routes.${type}`);

type ListType = Exclude<Condition['type'], 'query' | 'date' | 'hours'>;

/** The sentences for conditions that a fact of the visitor has one of some values. */
const SENTENCES = {
  country: 'routes.ifCountry',
  region: 'routes.ifRegion',
  continent: 'routes.ifContinent',
  language: 'routes.ifLanguage',
  device: 'routes.ifDevice',
  os: 'routes.ifOs',
  browser: 'routes.ifBrowser',
  visitor: 'routes.ifVisitor',
  referrer: 'routes.ifReferrer',
  address: 'routes.ifAddress',
} as const satisfies Readonly<Record<ListType, WordKey>>;

const DEVICES: Readonly<Record<string, PlainKey>> = {
  mobile: 'routes.onMobile',
  tablet: 'routes.onTablet',
  desktop: 'routes.onDesktop',
};
const VISITORS: Readonly<Record<string, PlainKey>> = {
  human: 'routes.person',
  bot: 'routes.program',
  preview: 'routes.linkPreview',
};
const WEEKDAYS: Readonly<Record<(typeof DAYS)[number], PlainKey>> = {
  mon: 'routes.monday',
  tue: 'routes.tuesday',
  wed: 'routes.wednesday',
  thu: 'routes.thursday',
  fri: 'routes.friday',
  sat: 'routes.saturday',
  sun: 'routes.sunday',
};

/** The range of languages that all are in. */
const ANY_LANGUAGE = '*';

/** A condition as a sentence without its full stop, such as "the country is Germany or Austria". */
export function wordsOfCondition(words: PageWords, condition: Condition): string {
  switch (condition.type) {
    case 'query':
      return wordsOfQuery(words, condition);
    case 'date':
      return wordsOfDate(words, condition);
    case 'hours':
      return wordsOfHours(words, condition);
    default:
      return wordsOfList(words, condition);
  }
}

/** The sentences of conditions as one, all of which hold. */
export const allOf = ({ text }: PageWords, sentences: readonly string[]): string =>
  sentences.reduce((some, other) => text('routes.both', { some, other }));

const notIn = ({ not }: { readonly not?: true | undefined }) => String(not === true);

function wordsOfList(words: PageWords, condition: ConditionOf<ListType>): string {
  const { type, in: values } = condition;
  // One of a type that a newer version of this service may have stored.
  if (!Object.hasOwn(SENTENCES, type)) return words.text('routes.ifUnknown', { type });
  const not = notIn(condition);
  if (type === 'language' && values.length === 1 && values[0] === ANY_LANGUAGE) {
    return words.text('routes.ifLanguageKnown', { not });
  }
  const names = values.map((value) => nameIn(words, type, value));
  return words.text(SENTENCES[type], { not, values: anyOf(words, names) });
}

/** The name of a value as a sentence has it. */
function nameIn(words: PageWords, type: ListType, value: string): string {
  const { text } = words;
  if (type === 'referrer') return text('routes.onHost', { host: value });
  if (type === 'language' && value === ANY_LANGUAGE) return text('routes.known');
  const key = type === 'device' ? DEVICES[value] : type === 'visitor' ? VISITORS[value] : undefined;
  return key === undefined ? anyNameOf(words, type, value) : text(key);
}

function wordsOfQuery(words: PageWords, condition: ConditionOf<'query'>): string {
  const { name, in: values } = condition;
  const parameter = { not: notIn(condition), name: quote(name) };
  return values === undefined
    ? words.text('routes.ifParameter', parameter)
    : words.text('routes.ifQuery', { ...parameter, values: anyOf(words, values.map(quote)) });
}

function wordsOfDate({ text }: PageWords, condition: ConditionOf<'date'>): string {
  const not = notIn(condition);
  const [from, until] = [condition.from, condition.until].map((instant) => instant && shownInstant(instant));
  if (!from) return text('routes.ifUntil', { not, until: until ?? '' });
  return until ? text('routes.ifBetween', { not, from, until }) : text('routes.ifFrom', { not, from });
}

function wordsOfHours(words: PageWords, condition: ConditionOf<'hours'>): string {
  const { days, from, until, tz: zone } = condition;
  const hours = { not: notIn(condition), from, until, zone };
  if (days === undefined) return words.text('routes.ifHours', hours);
  const names = days.map((day) => words.text(WEEKDAYS[day]));
  return words.text('routes.ifHoursOn', { ...hours, days: anyOf(words, names) });
}

const alternativesIn = perLanguage(
  (language) => new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type: 'disjunction' }),
);
// A sentence with all 250 countries would help no reader.
const MAX_NAMED = 12;

/** Alternatives in a sentence: "a, b or c". */
function anyOf({ language, text }: PageWords, names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  return alternativesIn(language).format(
    rest > 1 ? [...names.slice(0, MAX_NAMED), text('routes.others', { count: rest })] : names,
  );
}

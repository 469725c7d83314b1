import { createContext, useContext, type Child } from 'hono/jsx';
import { Later } from '../isolate/later.ts';
import { preferredOfPlatform } from '../languages/accepted.ts';
import { LOADERS } from '../languages/compiled/platform.js';
import type { PlatformLanguage } from '../languages/list.ts';
import { perLanguage } from '../languages/per-language.ts';
import type english from '../languages/platform/en.ts';
import type { ArgumentsOf, KeyOf, TagsOf, TextOf } from '../languages/texts.ts';
import { Words, type CompiledTexts } from '../languages/words.ts';
import { formatsWith } from '../time/formats.ts';
import { writeUtcDay, writeUtcTime } from '../time/utc-text.ts';

/** The words of the pages, in the language of the user. */

/** The texts of the pages, without those of their scripts and the sentences of the API. */
type English = Omit<typeof english, 'scripts' | 'importScript' | 'passkeyScript' | 'copying' | 'faults'>;

/** The key of a text, such as `tags.title`. */
export type WordKey = KeyOf<English>;

/** The key of a text without arguments. */
export type PlainKey = {
  [Key in WordKey]: unknown extends ArgumentsOf<TextOf<English, Key>> ? Key : never;
}[WordKey];

/** The elements that tags of these names give, unless a page says otherwise. */
const ELEMENTS = {
  bdi: (inside: string[]) => <bdi>{inside}</bdi>,
  strong: (inside: string[]) => <strong>{inside}</strong>,
  code: (inside: string[]) => <code>{inside}</code>,
};

type ValuesOf<Key extends WordKey> = ArgumentsOf<TextOf<English, Key>> &
  Omit<TagsOf<TextOf<English, Key>, Child>, keyof typeof ELEMENTS>;

/** A sentence in the language of the page, or an English one of the API that has no translation. */
export type Sentence = string | { readonly english: string };

export const plain = (sentence: Sentence): string => (typeof sentence === 'string' ? sentence : sentence.english);

/** The `lang` of an element that shows a sentence. */
export const langOf = (sentence: Sentence): 'en' | undefined => (typeof sentence === 'string' ? undefined : 'en');

interface Fault {
  readonly pattern: RegExp;
  readonly own: string;
}

/** The sentences that an English text with arguments stands for. */
const patternOf = (english: string): RegExp => {
  const escaped = english.replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`, 's');
};

/** The words of the pages in one language; each method can be called without its object. */
export class PageWords extends Words<English> {
  declare readonly language: PlatformLanguage;
  readonly #faults: readonly Fault[];

  /** @param faults English sentences of the API, each with its translation */
  constructor(language: PlatformLanguage, texts: CompiledTexts, faults: readonly (readonly [string, string])[]) {
    super(language, texts);
    this.#faults = faults.map(([english, own]) => ({ pattern: patternOf(english), own }));
  }

  /** An English sentence of the API in this language, or as one that has no translation. */
  readonly said = (sentence: string): Sentence => {
    for (const { pattern, own } of this.#faults) {
      const values = pattern.exec(sentence);
      if (values) return own.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.groups?.[name] ?? '');
    }
    return this.language === 'en' ? sentence : { english: sentence };
  };

  /** The parts of a text with tags, as content of an element. */
  readonly content = <Key extends WordKey>(key: Key, values: ValuesOf<Key>): Child =>
    this.parts<Key, Child>(key, { ...ELEMENTS, ...values } as never);

  /** Several words as one, such as "a, b and c". */
  readonly list = (items: readonly string[]): string => {
    if (items.length < 2) return items.join('');
    if (this.language === 'en') return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
    return conjunctionsIn(this.language).format(items);
  };

  /** A time since then in whole units, such as "5 min. ago"; 0 seconds are "now". */
  readonly ago = (count: number, unit: keyof typeof UNITS): string => {
    if (this.language === 'en') return agoInEnglish(count, unit);
    return agesIn(this.language).format(-count, unit);
  };

  /** An instant, in milliseconds since the epoch, as the wall-clock time of a zone, with its name. */
  readonly instant = (at: number, timeZone: string): string =>
    this.language === 'en' && timeZone === 'UTC'
      ? `${writeUtcDay(at)}, ${writeUtcTime(at).slice(0, 5)} UTC`
      : FORMATS.instant(this.language)(timeZone).format(at);

  /** The time of day of an instant, to the second, as the wall-clock time of a zone. */
  readonly time = (at: number, timeZone: string): string =>
    timeZone === 'UTC' ? writeUtcTime(at) : FORMATS.time(this.language)(timeZone).format(at);

  /** A day, YYYY-MM-DD; an empty text stays empty. */
  readonly day = (day: string): string => {
    if (day === '') return '';
    return this.language === 'en'
      ? writeUtcDay(Date.parse(day))
      : FORMATS.day(this.language)('UTC').format(Date.parse(day));
  };
}

const agesIn = perLanguage((language) => new Intl.RelativeTimeFormat(language, { style: 'short', numeric: 'auto' }));
/** The short names of units after a number in English, as `Intl` has them. */
const UNITS = { second: 'sec.', minute: 'min.', hour: 'hr.', day: 'days', month: 'mo.', year: 'yr.' } as const;

function agoInEnglish(count: number, unit: keyof typeof UNITS): string {
  if (count === 0) return 'now';
  if (count > 1 || unit === 'minute' || unit === 'hour') return `${count} ${UNITS[unit]} ago`;
  return unit === 'day' ? 'yesterday' : `last ${UNITS[unit]}`;
}

const conjunctionsIn = perLanguage((language) => new Intl.ListFormat(language, { type: 'conjunction' }));

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const FORMATS = {
  day: inLanguages(DAY),
  instant: inLanguages({ ...DAY, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }),
  time: inLanguages({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
};

/** The formats of instants in a form, by language and zone. English is that of Britain. */
function inLanguages(options: Intl.DateTimeFormatOptions) {
  return perLanguage((language: PlatformLanguage) => formatsWith(language === 'en' ? 'en-GB' : language, options));
}

const LATER = Object.fromEntries(
  Object.entries(LOADERS).map(([tag, load]) => [
    tag,
    new Later(async () => {
      const { TEXTS, TRANSLATED } = await load();
      return new PageWords(tag as PlatformLanguage, TEXTS, TRANSLATED);
    }),
  ]),
) as Readonly<Record<PlatformLanguage, Later<PageWords>>>;

/** True for the tag of a language of the pages; an earlier version of the service may have had others. */
export const isPlatformLanguage = (tag: string): tag is PlatformLanguage => Object.hasOwn(LOADERS, tag);

/** Loads the words in a language, once. */
export const wordsIn = async (language: PlatformLanguage): Promise<PageWords> =>
  LATER[language].loaded ?? LATER[language].load();

/** The words in the language that a visitor wants most, by `Accept-Language`. */
export const wordsFor = (header: string): Promise<PageWords> =>
  wordsIn(ENGLISH_FIRST.test(header) ? 'en' : preferredOfPlatform(header));

/** The headers of most browsers, and of programs. */
const ENGLISH_FIRST = /^(?:\*|en(?:-\w+)*)?(?:,|$)/;

/** The words of the page around an element. */
export const WordsOfPage = createContext<PageWords | null>(null);

/** The words of the page around a component. */
export function useWords(): PageWords {
  const words = useContext(WordsOfPage);
  if (words === null) throw new Error('A component has no page around it, and so no words.');
  return words;
}

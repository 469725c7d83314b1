import format from 'icu-minify/format';
import type { CompiledMessage, FormatValues } from 'icu-minify/format';
import { LANGUAGES, type Language } from './list.ts';
import { perLanguage } from './per-language.ts';
import type { ArgumentsOf, KeyOf, TagsOf, TextOf, Texts } from './texts.ts';

/** A dictionary as `scripts/languages.mjs` compiles it: messages by keys such as `password.title`. */
export type CompiledTexts = Readonly<Record<string, CompiledMessage>>;

/** The forms of dates by the names that texts use, as in `{day, date, long}`. */
const FORMATS = {
  date: { long: { dateStyle: 'long' } },
} as const;

/** The words of a room in one language. Dates are in UTC. */
export class Words<English extends Texts> {
  readonly language: Language;
  readonly #texts: CompiledTexts;

  constructor(language: Language, texts: CompiledTexts) {
    this.language = language;
    this.#texts = texts;
  }

  /** The direction of the script, for `dir`. */
  get direction(): 'ltr' | 'rtl' {
    return LANGUAGES[this.language].direction;
  }

  /** The text of a key without tags. It can be called without its object. */
  readonly text = <Key extends KeyOf<English>>(
    key: Key,
    ...values: unknown extends ArgumentsOf<TextOf<English, Key>> ? [] : [ArgumentsOf<TextOf<English, Key>>]
  ): string => String(this.#format(key, values[0] as FormatValues | undefined));

  /**
   * The parts of a text with tags: texts, which a page escapes, and the elements that the functions of its tags give. It
   * can be called without its object.
   */
  readonly parts = <Key extends KeyOf<English>, Element>(
    key: Key,
    values: ArgumentsOf<TextOf<English, Key>> & TagsOf<TextOf<English, Key>, Element>,
  ): (string | Element)[] => {
    const parts = this.#format(key, values as FormatValues<Element>);
    return Array.isArray(parts) ? parts : [parts];
  };

  /** True if a text has this key. */
  has(key: string): key is KeyOf<English> {
    return Object.hasOwn(this.#texts, key);
  }

  /** A whole number. It can be called without its object. */
  readonly count = (count: number): string => numbersIn(this.language).format(count);

  #format<Element>(key: string, values: FormatValues<Element> | undefined): string | Element | (string | Element)[] {
    const message = this.#texts[key];
    if (message === undefined) throw new Error(`No text for ${key} in ${this.language}`);
    return format(message, this.language, values, { formats: FORMATS, formatters: FORMATTERS, timeZone: 'UTC' });
  }
}

// The first format of a process takes some ten milliseconds, for which the first page of an isolate would wait, so English
// has its own.
const pluralsIn = perLanguage<string, Pick<Intl.PluralRules, 'select'>>((language) =>
  language === 'en' ? { select: (count) => (count === 1 ? 'one' : 'other') } : new Intl.PluralRules(language),
);

/** The format of whole numbers in a language. */
const numbersIn = perLanguage<string, Pick<Intl.NumberFormat, 'format'>>((language) =>
  language === 'en'
    ? { format: (count) => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',') }
    : new Intl.NumberFormat(language),
);

const FORMATTERS = {
  getDateTimeFormat: (...options: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...options),
  getNumberFormat: (locale: string, options?: Intl.NumberFormatOptions) =>
    (options === undefined ? numbersIn(locale) : new Intl.NumberFormat(locale, options)) as Intl.NumberFormat,
  getPluralRules: (locale: string, options?: Intl.PluralRulesOptions) =>
    (options?.type === 'ordinal' ? new Intl.PluralRules(locale, options) : pluralsIn(locale)) as Intl.PluralRules,
};

import type mails from './mails/en.ts';
import type platform from './platform/en.ts';
import type visitors from './visitors/en.ts';

/**
 * Dictionaries: texts in ICU MessageFormat (https://unicode-org.github.io/icu/userguide/format_parse/messages/), by group
 * and key. The English one of a room is the type of the others, and of what a page says with a key.
 */

/** A dictionary, with literal types if it is the English one. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The texts of a room in another language: the same groups and keys. */
type Translated<English extends Texts> = {
  readonly [Group in keyof English]: { readonly [Key in keyof English[Group]]: string };
};

/** The texts of visitors' pages in one language. */
export type VisitorTexts = Translated<typeof visitors>;

/** The texts of the platform in one language. */
export type PlatformTexts = Translated<typeof platform>;

/** The texts of mails in one language. */
export type MailTexts = Translated<typeof mails>;

/** The keys of a dictionary, such as `password.title`. */
export type KeyOf<English extends Texts> = {
  [Group in keyof English & string]: `${Group}.${keyof English[Group] & string}`;
}[keyof English & string];

/** The text of a key. */
export type TextOf<English extends Texts, Key extends string> = Key extends `${infer Group extends keyof English &
  string}.${infer Name}`
  ? English[Group][Name]
  : never;

/** The arguments of a text, such as `{host}` and `{day, date, long}`, with the types of their values. */
export type ArgumentsOf<Text> = Text extends `${infer Before}{${infer Rest}`
  ? (Before extends Choice ? unknown : Rest extends `${infer Inside}}${string}` ? ArgumentIn<Inside> : unknown) &
      ArgumentsOf<Rest>
  : unknown;

/** The text before a branch of a plural. */
type Choice = `${string}${', ' | '} '}${'zero' | 'one' | 'two' | 'few' | 'many' | 'other' | `=${number}`} `;

type ArgumentIn<Inside extends string> = Inside extends `${infer Name},${infer Format}`
  ? Named<Name, ValueOf<Format>>
  : Named<Inside, string>;

// The branches of a plural stand in braces too: they are not one word.
type Named<Name extends string, Value> = Name extends '' | `${string}${' ' | '#' | '<' | '.'}${string}`
  ? unknown
  : { readonly [Each in Name]: Value };

type ValueOf<Format extends string> = Format extends ` ${'plural' | 'selectordinal' | 'number'}${string}`
  ? number
  : Format extends ` ${'date' | 'time'}${string}`
    ? Date
    : string;

/** The tags of a text, such as `<strong>`, each with the function that gives an element for the text inside. */
export type TagsOf<Text, Element> = Text extends `${string}<${infer Tag}>${infer Rest}`
  ? (Tag extends `/${string}` ? unknown : { readonly [Name in Tag]: (inside: string[]) => Element }) &
      TagsOf<Rest, Element>
  : unknown;

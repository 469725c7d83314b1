import { TextMemo } from '../text/text-memo.ts';
import { LANGUAGE_TAGS, LANGUAGES, PLATFORM_LANGUAGES, type Language, type PlatformLanguage } from './list.ts';

// Browsers send less than a quarter of this.
const MAX_HEADER = 400;

const firsts = new TextMemo(findFirst, { mostEntries: 2000, mostBytes: 1024 * 1024 });
const preferred = new TextMemo(findVisitors, { mostEntries: 500, mostBytes: 256 * 1024 });

/**
 * The language that a visitor wants most, as a tag in small letters: the one of the highest weight, and of several such
 * ones the first. Null if the header names none; `*` is none, nor is a language of weight 0. Of a long header only the
 * beginning counts. Source: RFC 9110, section 12.5.4.
 */
export const firstLanguage = (header: string | null): string | null =>
  header ? bounded(header, firsts, findFirst) : null;

/**
 * The language of a page for a visitor with this `Accept-Language`: the first choice that is one of ours in its script;
 * else one in another script of the same language; else English.
 */
export const preferredLanguage = (header: string | null): Language =>
  header ? bounded(header, preferred, findVisitors) : 'en';

/** `preferredLanguage` of the platform's pages. */
export const preferredOfPlatform = (header: string): PlatformLanguage =>
  findPreferred(header.slice(0, MAX_HEADER), PLATFORM_LANGUAGES);

function bounded<Value>(header: string, memo: TextMemo<Value>, find: (header: string) => Value): Value {
  if (header.length <= MAX_HEADER) return memo.of(header);
  // A part of a text would keep all of it in memory, so it is not remembered.
  return find(header.slice(0, Math.max(0, header.lastIndexOf(',', MAX_HEADER))));
}

interface Choice {
  readonly tag: string;
  readonly weight: number;
}

const CHOICE = /^[ \t]*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/i;

function choicesIn(header: string): Choice[] {
  return header.split(',').flatMap((choice) => {
    const [, tag, weight = '1'] = CHOICE.exec(choice) ?? [];
    return tag === undefined || Number(weight) === 0 ? [] : [{ tag: tag.toLowerCase(), weight: Number(weight) }];
  });
}

function findFirst(header: string): string | null {
  let first: Choice | null = null;
  for (const choice of choicesIn(header)) if (first === null || choice.weight > first.weight) first = choice;
  return first === null ? null : first.tag;
}

function findVisitors(header: string): Language {
  return findPreferred(header, LANGUAGE_TAGS);
}

function findPreferred<Tag extends Language>(header: string, tags: readonly Tag[]): Tag | 'en' {
  const wanted = choicesIn(header)
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ tag }) => localeOf(tag) ?? []);
  for (const [at, { locale, script }] of wanted.entries()) {
    // Browsers add `zh` to a choice of `zh-TW`, which says nothing of the script.
    const before = locale.script || locale.region ? undefined : wanted.slice(0, at).find(isOf(locale.language));
    const found = tags.find((tag) => isOfLanguage(tag, locale) && LANGUAGES[tag].script === (before?.script ?? script));
    if (found !== undefined) return found;
  }
  return wanted.flatMap(({ locale }) => tags.find((tag) => isOfLanguage(tag, locale)) ?? []).at(0) ?? 'en';
}

const isOf =
  (language: string) =>
  ({ locale }: { readonly locale: Intl.Locale }) =>
    locale.language === language;

const isOfLanguage = (tag: Language, { language }: Intl.Locale) => tag === language || tag.startsWith(`${language}-`);

/** The locale of a tag, and the script that is likely for it; null for a tag that is not valid. */
function localeOf(tag: string): { readonly locale: Intl.Locale; readonly script: string | undefined } | null {
  try {
    const locale = new Intl.Locale(tag);
    return { locale, script: locale.maximize().script };
  } catch {
    return null;
  }
}

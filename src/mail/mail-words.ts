import { LOADERS } from '../languages/compiled/mails.js';
import { PLATFORM_LANGUAGES } from '../languages/list.ts';
import type english from '../languages/mails/en.ts';
import { Words } from '../languages/words.ts';

/** The words of mails in one language. */
export type MailWords = Words<typeof english>;

/** Loads the words of mails in a language; English where there are none. */
export async function mailWords(tag: string | null): Promise<MailWords> {
  const language = PLATFORM_LANGUAGES.find((each) => each === tag) ?? 'en';
  const { TEXTS } = await LOADERS[language]();
  return new Words(language, TEXTS);
}

/** An instant, in milliseconds since the epoch, as the wall-clock time of a zone, with its name. */
export function instantIn({ language }: { readonly language: string }, at: number, timeZone: string): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(at);
}

/** The name of a country in a language. */
export const countryIn = ({ language }: { readonly language: string }, code: string): string =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code;

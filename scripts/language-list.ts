import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The path of the list that `languageList` writes. */
export const LANGUAGE_LIST = 'src/languages/list.ts';

const FOLDER = join(import.meta.dirname, '../src/languages');

/** The source of the list of languages: those of each room of `src/languages/`, by the tags (BCP 47) that name its files. */
export function languageList(): string {
  return [
    '// Generated from the names in `src/languages/visitors/` and `src/languages/platform/` by `npm run types`; do not edit.',
    '',
    '/** The languages of visitors’ pages by their tags (BCP 47), with the code of their script (ISO 15924). */',
    'export const LANGUAGES = {',
    ...tagsOf('visitors').map(rowOf),
    '} as const;',
    '',
    '/** The tag of a language. */',
    'export type Language = keyof typeof LANGUAGES;',
    '',
    '/** The tags of all languages. */',
    'export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as readonly Language[];',
    '',
    '/** The tags of the languages of the platform. */',
    `export const PLATFORM_LANGUAGES = [${tagsOf('platform')
      .map((tag) => `'${tag}'`)
      .join(', ')}] as const;`,
    '',
    '/** The tag of a language of the platform. */',
    'export type PlatformLanguage = (typeof PLATFORM_LANGUAGES)[number];',
    '',
  ].join('\n');
}

const tagsOf = (room: string): string[] =>
  readdirSync(join(FOLDER, room))
    .map((name) => name.replace(/\.ts$/, ''))
    .toSorted();

function rowOf(tag: string): string {
  const locale = new Intl.Locale(tag);
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(tag);
  const key = /^[a-z]+$/.test(tag) ? tag : `'${tag}'`;
  const { direction } = (
    locale as unknown as { readonly getTextInfo: () => { readonly direction: string } }
  ).getTextInfo();
  return `  ${key}: { name: '${name}', script: '${locale.maximize().script}', direction: '${direction}' },`;
}

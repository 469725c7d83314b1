import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The path of the list that `languageList` writes. */
export const LANGUAGE_LIST = 'src/languages/list.ts';

const FOLDER = join(import.meta.dirname, '../src/languages/visitors');

/** The source of the list of languages, which has each file of `src/languages/visitors/`, by its tag (BCP 47). */
export function languageList(): string {
  const tags = readdirSync(FOLDER)
    .map((name) => name.replace(/\.ts$/, ''))
    .toSorted();
  return [
    '// Generated from the names in `src/languages/visitors/` by `npm run types`; do not edit.',
    '',
    '/** The languages of visitors’ pages by their tags (BCP 47), with the code of their script (ISO 15924). */',
    'export const LANGUAGES = {',
    ...tags.map(rowOf),
    '} as const;',
    '',
    '/** The tag of a language. */',
    'export type Language = keyof typeof LANGUAGES;',
    '',
    '/** The tags of all languages. */',
    'export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as readonly Language[];',
    '',
  ].join('\n');
}

function rowOf(tag: string): string {
  const locale = new Intl.Locale(tag);
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(tag);
  const key = /^[a-z]+$/.test(tag) ? tag : `'${tag}'`;
  const { direction } = (
    locale as unknown as { readonly getTextInfo: () => { readonly direction: string } }
  ).getTextInfo();
  return `  ${key}: { name: '${name}', script: '${locale.maximize().script}', direction: '${direction}' },`;
}

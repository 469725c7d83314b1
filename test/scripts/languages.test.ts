import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { languageList, LANGUAGE_LIST } from '../../scripts/language-list.ts';
import { LANGUAGE_TAGS, PLATFORM_LANGUAGES } from '../../src/languages/list.ts';
import { ROOT } from './support/project.ts';

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const FOLDER = join(ROOT, 'src/languages');

const ROOMS = { visitors: LANGUAGE_TAGS, platform: PLATFORM_LANGUAGES, mails: PLATFORM_LANGUAGES } as const;
type Room = keyof typeof ROOMS;

/** Names and standard terms, without their arguments, which are the same in every language. */
const TECHNOLOGY: ReadonlySet<string> = new Set([
  'URL',
  'CSV',
  'Apple',
  'Android',
  'UTF-16',
  'UTM',
  'newsletter',
  'e-mail',
  '301 Moved Permanently',
  '302 Found',
  '307 Temporary Redirect',
  '308 Permanent Redirect',
  'QR',
  'API',
  'ID',
  'IDs',
  'iPhone Safari',
  'iPad Safari',
  'Windows Edge',
  'macOS Safari',
  'Linux Firefox',
  'TypeScript',
  'Webhook',
  'Webhooks',
  'ms',
]);

/** Texts of the platform that are right in another language as they are in English, without their arguments. */
const EQUAL: Readonly<Record<string, ReadonlySet<string>>> = {
  de: new Set([
    'Workspace',
    'Workspaces',
    'Passkey',
    'Passkeys',
    'Links',
    'Domains',
    'optional',
    'Name',
    'Live',
    'Bots',
    'Orange',
    'Zone',
    'Browser',
    'Referrer',
    'Tablet',
    'Computer',
    'Bot',
    'Link',
    'Domain',
    'Host',
    'Status',
    'Logo',
    'Import',
    'Export',
    'Secret',
    'App',
    'Medium',
    'Slug',
    'Tag',
    'Details',
    'Alias',
    'Region',
    'Transparent',
    'Parameter',
  ]),
  es: new Set(['Bots', 'Bot', 'Host', 'Error', 'Slug', 'No', 'Alias', 'bot', 'Asia']),
  fr: new Set([
    'Pages',
    'Actions',
    'Orange',
    'Sessions',
    'Date',
    'description',
    'Destinations',
    'Destination',
    'Type',
    'Logo',
    'Active',
    'Secret',
    'QR code',
    'image',
    'Description',
    'Image',
    'Source',
    'Slug',
    'Alias',
    'QR codes',
    'Transparent',
    'pixels',
    'module modules',
    'Condition',
    'Continent',
    'mobile',
    'Europe',
  ]),
  // Examples of what a person types.
  ja: new Set(['spring sale', 'header link']),
};

/** The words of a text, without its arguments and tags. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/\{\w+, plural,|\b(?:one|many|other) \{|\{[^{}]*\}|<[^>]*>/g, ' ')
    .replaceAll(/[^\p{L}\p{N}.+-]+/gu, ' ')
    .trim();

async function dictionaryOf(room: Room, language: string): Promise<ReadonlyMap<string, string>> {
  const { default: texts } = (await import(join(FOLDER, room, `${language}.ts`))) as { readonly default: Texts };
  return new Map(
    Object.entries(texts).flatMap(([group, keys]) =>
      Object.entries(keys).map(([key, text]) => [`${group}.${key}`, text] as const),
    ),
  );
}

/** The arguments and tags of a text, once for each branch of its plurals. */
const allPlacesIn = (elements: readonly MessageFormatElement[]): string[] =>
  elements.flatMap((element) => {
    const name = 'value' in element ? element.value : '';
    if (element.type === TYPE.tag) return [`<${name}>`, ...allPlacesIn(element.children)];
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [name, ...Object.values(element.options).flatMap(({ value }) => allPlacesIn(value))];
    return element.type === TYPE.literal || element.type === TYPE.pound ? [] : [`${TYPE[element.type]} ${name}`];
  });

/** The arguments and tags of a text, each with its kind, in the order of the alphabet. Languages differ in plurals. */
const placesIn = (elements: readonly MessageFormatElement[]): string[] =>
  [...new Set(allPlacesIn(elements))].toSorted();

const ENGLISH = {
  visitors: await dictionaryOf('visitors', 'en'),
  platform: await dictionaryOf('platform', 'en'),
  mails: await dictionaryOf('mails', 'en'),
};

const DICTIONARIES = Object.entries(ROOMS).flatMap(([room, languages]) =>
  languages.map((language) => [room as Room, language] as const),
);

it('the list of languages has each file of the texts', () => {
  expect(readFileSync(join(ROOT, LANGUAGE_LIST), 'utf8')).toBe(languageList());
  expect(LANGUAGE_TAGS).toEqual(['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt', 'zh-Hans']);
});

describe.each(DICTIONARIES)('the %s in %s', (room, language) => {
  it(`the ${room} in ${language} have the keys of the English dictionary, in its order, and no others`, async () => {
    expect([...(await dictionaryOf(room, language)).keys()]).toEqual([...ENGLISH[room].keys()]);
  });

  it(`each text of the ${room} in ${language} has the arguments and the tags of the English one`, async () => {
    for (const [key, text] of await dictionaryOf(room, language))
      expect([key, placesIn(parse(text))]).toEqual([key, placesIn(parse(ENGLISH[room].get(key) ?? ''))]);
  });

  it(`each text of the ${room} in ${language} is one whole text, without white space at its ends and without straight quotes`, async () => {
    expect(readFileSync(join(FOLDER, room, `${language}.ts`), 'utf8')).not.toMatch(/['`] \+|\$\{/);
    for (const [key, text] of await dictionaryOf(room, language)) {
      expect([key, text]).toEqual([key, text.trim()]);
      // A straight apostrophe quotes in ICU MessageFormat.
      expect([key, text]).toEqual([key, text.replaceAll(/['"]| {2}/g, '')]);
    }
  });
});

it.each(DICTIONARIES.filter(([, language]) => language !== 'en'))(
  'no text of the %s in %s is the English one',
  async (room, language) => {
    const equal = [...(await dictionaryOf(room, language))].filter(([key, text]) => text === ENGLISH[room].get(key));
    const words = equal.map(([, text]) => wordsOf(text)).filter((each) => /\p{L}/u.test(each));
    expect([...new Set(words)].filter((each) => !TECHNOLOGY.has(each) && !EQUAL[language]?.has(each))).toEqual([]);
  },
);

it.each([
  ['ar', /^[^a-z]*$/i],
  ['ja', /^[^a-z]*$/i],
  ['zh-Hans', /^[^a-z]*$/i],
] as const)('no text of %s has words in Latin letters besides names of technology', async (language, pattern) => {
  for (const [key, text] of await dictionaryOf('visitors', language)) {
    const own = text.replaceAll(/\{[^}]*\}|<\/?\w+>|GET|UTC/g, '');
    expect([key, pattern.test(own)]).toEqual([key, true]);
  }
});

it.each(['visitors', 'platform', 'mails'] as const)(
  'a French text of the %s has no-break spaces before double punctuation and within quotes',
  async (room) => {
    const texts = [...(await dictionaryOf(room, 'fr'))].map(([key, text]) => [
      key,
      text.replaceAll(/<code>.*?</g, '<'),
    ]);
    const broken = texts.filter(([, text = '']) => /[^\u00a0\u202f][?!;:](?: |$)|«(?!\u00a0)|(?<!\u00a0)»/.test(text));
    expect(broken).toEqual([]);
  },
);

it('the pages for visitors have no words of their own', () => {
  const sources = readdirSync(join(ROOT, 'src/redirect')).map((name) => join('src/redirect', name));
  const words = sources.flatMap((path) => {
    const { code } = transformSync(readFileSync(join(ROOT, path), 'utf8'), { loader: 'ts' });
    // Between two tags, or as a title.
    return [...code.matchAll(/[^=]>([^<>`${}]*[a-z]{3}[^<>`${}]*)<|title: ["'`](.*)["'`]/gi)].map(
      ([, content, title]) => `${path}: ${content ?? title}`,
    );
  });
  expect(words).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { languageList, LANGUAGE_LIST } from '../../scripts/language-list.ts';
import { LANGUAGE_TAGS, type Language } from '../../src/languages/list.ts';
import english from '../../src/languages/visitors/en.ts';
import { ROOT } from './support/project.ts';

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const FOLDER = join(ROOT, 'src/languages/visitors');

/** Texts that are right in another language as they are in English. */
const EQUAL: ReadonlySet<string> = new Set();

async function dictionaryOf(language: Language): Promise<ReadonlyMap<string, string>> {
  const { default: texts } = (await import(join(FOLDER, `${language}.ts`))) as { readonly default: Texts };
  return new Map(
    Object.entries(texts).flatMap(([group, keys]) =>
      Object.entries(keys).map(([key, text]) => [`${group}.${key}`, text] as const),
    ),
  );
}

/** The arguments and tags of a text, each with its kind, in the order of the alphabet. */
const placesIn = (elements: readonly MessageFormatElement[]): string[] =>
  elements
    .flatMap((element) => {
      const name = 'value' in element ? element.value : '';
      if (element.type === TYPE.tag) return [`<${name}>`, ...placesIn(element.children)];
      if (element.type === TYPE.plural || element.type === TYPE.select)
        return [name, ...Object.values(element.options).flatMap(({ value }) => placesIn(value))];
      return element.type === TYPE.literal || element.type === TYPE.pound ? [] : [`${TYPE[element.type]} ${name}`];
    })
    .toSorted();

const ENGLISH = await dictionaryOf('en');

it('the list of languages has each file of the texts of visitors’ pages', () => {
  expect(readFileSync(join(ROOT, LANGUAGE_LIST), 'utf8')).toBe(languageList());
  expect(LANGUAGE_TAGS).toEqual(['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt', 'zh-Hans']);
});

describe.each(LANGUAGE_TAGS)('%s', (language) => {
  it(`the dictionary of ${language} has the keys of the English one, in its order, and no others`, async () => {
    expect([...(await dictionaryOf(language)).keys()]).toEqual([...ENGLISH.keys()]);
  });

  it(`each text of ${language} has the arguments and the tags of the English one`, async () => {
    for (const [key, text] of await dictionaryOf(language))
      expect([key, placesIn(parse(text))]).toEqual([key, placesIn(parse(ENGLISH.get(key) ?? ''))]);
  });

  it(`each text of ${language} is one whole text, without white space at its ends and without straight quotes`, async () => {
    expect(readFileSync(join(FOLDER, `${language}.ts`), 'utf8')).not.toMatch(/['`] \+|\$\{/);
    for (const [key, text] of await dictionaryOf(language)) {
      expect([key, text]).toEqual([key, text.trim()]);
      // A straight apostrophe quotes in ICU MessageFormat.
      expect([key, text]).toEqual([key, text.replaceAll(/['"]| {2}/g, '')]);
    }
  });
});

it.each(LANGUAGE_TAGS.filter((language) => language !== 'en'))('no text of %s is the English one', async (language) => {
  const equal = [...(await dictionaryOf(language))].filter(([key, text]) => text === ENGLISH.get(key));
  expect(equal.map(([key]) => `${language} ${key}`).filter((each) => !EQUAL.has(each))).toEqual([]);
});

it.each([
  ['ar', /^[^a-z]*$/i],
  ['ja', /^[^a-z]*$/i],
  ['zh-Hans', /^[^a-z]*$/i],
] as const)('no text of %s has words in Latin letters besides names of technology', async (language, pattern) => {
  for (const [key, text] of await dictionaryOf(language)) {
    const own = text.replaceAll(/\{[^}]*\}|<\/?\w+>|GET|UTC/g, '');
    expect([key, pattern.test(own)]).toEqual([key, true]);
  }
});

it('a French text has a no-break space before double punctuation', async () => {
  for (const [key, text] of await dictionaryOf('fr'))
    expect([key, text]).not.toEqual([key, expect.stringMatching(/[^\u00a0][?!;:](?: |$)/)]);
});

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

it('the English dictionary is the type of the others', () => {
  expect(Object.keys(english)).toEqual([...new Set([...ENGLISH.keys()].map((key) => key.split('.')[0]))]);
});

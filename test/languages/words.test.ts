import compile from 'icu-minify/compile';
import { expect, it } from 'vitest';
import type { Language } from '../../src/languages/list.ts';
import { Words } from '../../src/languages/words.ts';

/** Texts with each kind of argument, as a dictionary of the platform may have them. */
const ENGLISH = {
  list: {
    clicks: '{count, plural, one {# click} other {# clicks}} since {day, date, long}',
    place: '{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
    total: '{count, number} in all',
    owner: 'Created by <b>{name}</b> in <a>{workspace}</a>',
  },
} as const;

const ARABIC = {
  list: {
    ...ENGLISH.list,
    clicks:
      '{count, plural, zero {لا نقرات} one {نقرة واحدة} two {نقرتان} few {# نقرات} other {# نقرة}} {day, date, long}',
  },
};

function wordsOf(language: Language, texts: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const entries = Object.entries(texts).flatMap(([group, keys]) =>
    Object.entries(keys).map(([key, text]) => [`${group}.${key}`, compile(text)] as const),
  );
  return new Words<typeof ENGLISH>(language, Object.fromEntries(entries));
}

const DAY = new Date('2026-05-20T23:59:59Z');

it('a text has the plural, the number and the date of its language', () => {
  const [english, german, arabic] = [wordsOf('en', ENGLISH), wordsOf('de', ENGLISH), wordsOf('ar', ARABIC)];
  expect(english.text('list.clicks', { count: 1, day: DAY })).toBe('1 click since May 20, 2026');
  expect(english.text('list.clicks', { count: 1234, day: DAY })).toBe('1,234 clicks since May 20, 2026');
  expect(german.text('list.clicks', { count: 1234, day: DAY })).toBe('1.234 clicks since 20. Mai 2026');
  expect(arabic.text('list.clicks', { count: 2, day: DAY })).toMatch(/^نقرتان /);
  expect(arabic.text('list.clicks', { count: 5, day: DAY })).toMatch(/^\S نقرات /u);
  expect(english.text('list.place', { place: 22 })).toBe('22nd');
  expect(german.text('list.total', { count: 12_345.5 })).toBe('12.345,5 in all');
});

it('the parts of a text with tags are its texts and the elements of the tags, in the order of the language', () => {
  const elementOf = (name: string) => (inside: string[]) => ({ name, inside: inside.join('') });
  const tags = { b: elementOf('b'), a: elementOf('a') };
  expect(wordsOf('en', ENGLISH).parts('list.owner', { name: '<Ann>', workspace: 'Acme', ...tags })).toEqual([
    'Created by ',
    { name: 'b', inside: '<Ann>' },
    ' in ',
    { name: 'a', inside: 'Acme' },
  ]);
});

it('a key that a dictionary lacks is an error that names it', () => {
  expect(() => wordsOf('fr', {}).text('list.total', { count: 1 })).toThrow('No text for list.total in fr');
});

import { expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/languages/list.ts';
import { REDIRECT_STATUSES, FORWARDINGS } from '../../../src/links/fields/visitor-fields.ts';
import { FIELD_NAMES, fieldOf, linkFields } from '../../../src/links/fields/table.ts';
import { choicesOf, hintOf, labelOf } from '../../../src/platform/links/field-words.ts';
import { wordsIn } from '../../../src/platform/words.tsx';

/** The fields of a link in words. */

const WORDS = await wordsIn('en');
const inputOf = (name: (typeof FIELD_NAMES)[number]) => fieldOf(name)?.input;

it.each(FIELD_NAMES)('the field %s has the same English name on the pages as in its table', (name) => {
  expect(labelOf(WORDS, name)).toBe(linkFields[name].label);
});

it.each(FIELD_NAMES.filter((name) => inputOf(name)?.section !== undefined))(
  'the field %s, which is in a panel of the form, has a hint there',
  (name) => {
    for (const isNew of [true, false]) expect(hintOf(WORDS, name, isNew, 'Europe/Berlin')).toMatch(/\.$/);
  },
);

it('an instant is typed on the clocks that its hint names', () => {
  expect(hintOf(WORDS, 'expires_at', false, 'America/New_York')).toBe('Time in America/New York.');
});

it('each choice of a field has a text, also that which stands for no value', () => {
  const choices = FIELD_NAMES.filter((name) => inputOf(name)?.kind === 'choice');
  for (const name of choices) expect(choicesOf(WORDS, name)).toHaveProperty([inputOf(name)?.choiceIfAbsent ?? '']);
  const valuesOf = (name: (typeof FIELD_NAMES)[number]) => Object.keys(choicesOf(WORDS, name));
  expect(valuesOf('redirect_status')).toEqual(REDIRECT_STATUSES.map(String).toSorted());
  expect(valuesOf('forward_query')).toEqual(['', ...FORWARDINGS]);
  expect(valuesOf('language')).toEqual(['', ...Object.keys(LANGUAGES)]);
});

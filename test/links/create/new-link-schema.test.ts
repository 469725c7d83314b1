import { expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { parseFields, type Fields } from '../../../src/input/validation.ts';
import { newLinkSchema } from '../../../src/links/create/new-link-schema.ts';
import { FIELD_NAMES } from '../../../src/links/fields/table.ts';
import { itemFields, newLinkFields, newLinkJsonFields, repeatableFields } from '../../../src/links/input.ts';

type Schema = Parameters<typeof parseFields>[0];

/** What a schema makes of fields: their values, or its error with all that a caller sees of it. */
function outcomeOf(schema: Schema, fields: Fields): unknown {
  try {
    return parseFields(schema, fields);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message, faults: error.faults };
  }
}

const VALUES = [
  '',
  'x',
  'https://example.com/a',
  '2020-01-01T00:00:00Z',
  '301',
  '[]',
  5,
  true,
  [],
  ['x'],
  {},
  undefined,
];
const GOOD = { url: 'https://example.com/', client_id: 'acme' };
const NAMES = [...FIELD_NAMES, 'client_id', 'reuse', 'no_such_field', '__proto__'];

const each = NAMES.flatMap((name) => VALUES.map((value): Fields => ({ ...GOOD, [name]: value })));
// In the opposite order, so that the schema alone decides which error comes first.
const all = VALUES.map((value): Fields => Object.fromEntries(NAMES.toReversed().map((name) => [name, value])));
const pairs = NAMES.map((name, index): Fields => ({ [NAMES[index + 1] ?? 'url']: {}, [name]: {}, ...GOOD }));
const CASES: readonly Fields[] = [
  {},
  { url: '' },
  { no_such_field: 1 },
  { title: 'A title' },
  ...each,
  ...all,
  ...pairs,
];

it.each([
  ['form', false, newLinkFields],
  ['json', false, newLinkJsonFields],
  ['item', false, itemFields],
  ['item', true, itemFields],
  ['form', true, repeatableFields.form],
  ['json', true, repeatableFields.json],
] as const)(
  'the schema of the fields of a new link is that of all fields (%s, repeatable: %s)',
  (form, isRepeatable, whole) => {
    for (const fields of CASES) {
      const outcome = outcomeOf(newLinkSchema(form, fields, isRepeatable), fields);
      expect({ fields, outcome }).toEqual({ fields, outcome: outcomeOf(whole(), fields) });
    }
  },
);

it('the schema of the fields of a new link has no others, and is kept', () => {
  const schema = newLinkSchema('json', { ...GOOD, title: 'A title' }, false);
  expect(schema).toMatchObject({ shape: { url: {}, client_id: {}, title: {} } });
  expect(newLinkSchema('json', { title: 'Another', url: 'https://example.org/' }, false)).toBe(schema);
});

import { expect, it } from 'vitest';
import { STATUS_BY_CODE } from '../../../src/errors.ts';
import { FIELD_NAMES, fieldOf, type FieldTable } from '../../../src/links/fields/table.ts';
import { VISITOR_FIELDS } from '../../../src/links/fields/visitor-fields.ts';

it('the table of fields has an error code for each field, or else the type check fails', () => {
  // The type check fails here if the table takes a name without a code.
  const isTaken: 'unnamed' extends keyof FieldTable ? true : false = false;
  const withoutCode = [...FIELD_NAMES, 'unnamed'].filter((name) => !(`invalid_${name}` in STATUS_BY_CODE));
  expect([isTaken, withoutCode]).toEqual([false, ['unnamed']]);
});

it('the table of fields has what visitors need of each stored field in the rows that a redirect loads, in the same order', () => {
  const needed = FIELD_NAMES.filter((name) => {
    const { stored, visitorsNeed } = fieldOf(name)!;
    return stored !== undefined && visitorsNeed !== 'never';
  });
  expect(Object.keys(VISITOR_FIELDS)).toEqual(needed);
  for (const [name, row] of Object.entries(VISITOR_FIELDS)) expect(fieldOf(name)).toMatchObject(row);
});

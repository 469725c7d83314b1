import { expect, it } from 'vitest';
import { STATUS_BY_CODE } from '../../../src/errors.ts';
import { FIELD_NAMES, type FieldTable } from '../../../src/links/fields/table.ts';

it('has an error code for each field, or else the type check fails', () => {
  // The type check fails here if the table takes a name without a code.
  const isTaken: 'unnamed' extends keyof FieldTable ? true : false = false;
  const withoutCode = [...FIELD_NAMES, 'unnamed'].filter((name) => !(`invalid_${name}` in STATUS_BY_CODE));
  expect([isTaken, withoutCode]).toEqual([false, ['unnamed']]);
});

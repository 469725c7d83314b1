import { expect, it } from 'vitest';
import { STATUS_BY_CODE } from '../../../src/errors.ts';
import { FIELD_NAMES, type FieldTable } from '../../../src/links/fields/table.ts';
import { titleField } from '../../../src/links/fields/title.ts';

it('has an error code for each field, or else the type check fails', () => {
  // The type check fails if this line is no error.
  // @ts-expect-error: there is no code invalid_unnamed
  const table: FieldTable = { unnamed: titleField };
  const withoutCode = [...FIELD_NAMES, ...Object.keys(table)].filter((name) => !(`invalid_${name}` in STATUS_BY_CODE));
  expect(withoutCode).toEqual(['unnamed']);
});

import * as z from 'zod';
import { clientId } from '../../accounts/users/names.ts';
import { instant } from '../../input/schemas.ts';
import type { Fields } from '../../input/validation.ts';
import type { FieldSchemas } from '../fields/field.ts';
import { FIELD_NAMES, linkFields } from '../fields/table.ts';
import {
  clientIdOfJson,
  ENCODE_NAMES,
  itemFields,
  newLinkFields,
  newLinkJsonFields,
  repeatableFields,
  reuse,
  type NewLinkInput,
} from '../input.ts';

/** The forms of a new link: the two of `POST /v1/links`, and that of a link in a list or one that may exist already. */
export type Form = 'form' | 'json' | 'item';

/** The most sets of fields whose schemas are kept; programs send few. */
const MAX_SETS = 64;
const bySet = new Map<string, z.ZodType<NewLinkInput>>();

/**
 * The schema of `POST /v1/links`, without the optional fields that a request does not have: the first request of an
 * isolate would wait for the schemas of all. It finds the same errors.
 *
 * @param isRepeatable true if the request can be repeated: the repeated one may have an `expires_at` that is over since
 */
export function newLinkSchema(form: Form, fields: Fields, isRepeatable: boolean): z.ZodType<NewLinkInput> {
  const names = OPTIONAL_NAMES.filter((name) => Object.hasOwn(fields, name));
  const set = `${form} ${isRepeatable} ${names.join(' ')}`;
  const known = bySet.get(set);
  if (known !== undefined) return known;
  if (bySet.size >= MAX_SETS) return wholeSchema(form, isRepeatable);
  const schema = schemaOf(form, names, isRepeatable);
  bySet.set(set, schema);
  return schema;
}

/** The names of the optional fields, in the order in which their errors are listed. */
const OPTIONAL_NAMES = [...new Set([...ENCODE_NAMES, ...FIELD_NAMES]), 'reuse' as const].filter(
  (name) => name !== 'url',
);

function wholeSchema(form: Form, isRepeatable: boolean): z.ZodType<NewLinkInput> {
  if (form === 'item') return itemFields();
  if (isRepeatable) return repeatableFields[form]();
  return form === 'json' ? newLinkJsonFields() : newLinkFields();
}

function schemaOf(
  form: Form,
  names: readonly (typeof OPTIONAL_NAMES)[number][],
  isRepeatable: boolean,
): z.ZodType<NewLinkInput> {
  const shape: Record<string, z.ZodType> = {
    url: linkFields.url.schemas().create,
    client_id: form === 'form' ? clientId() : clientIdOfJson(),
  };
  for (const name of names) {
    const { create, createJson }: FieldSchemas = name === 'reuse' ? reuse() : linkFields[name].schemas();
    const isLater = isRepeatable && form !== 'item' && name === 'expires_at';
    const schema = isLater ? instant() : form === 'form' ? create : (createJson ?? create);
    // A new link cannot have a field without a schema, and one of a list none that is equal: their names are unknown.
    const isKnown = form !== 'item' || name !== 'reuse';
    if (schema !== undefined && isKnown) shape[name] = schema.optional();
  }
  return z.strictObject(shape) as z.ZodType as z.ZodType<NewLinkInput>;
}

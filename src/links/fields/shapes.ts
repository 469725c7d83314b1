import type * as z from 'zod';
import type { FieldSchemas, LinkField } from './field.ts';
import { FIELD_NAMES, linkFields, type FieldName, type LinkFields } from './table.ts';

/** The schemas of requests, from the table of fields. */

type Key = keyof FieldSchemas;
type SchemasOf<Name extends FieldName> = ReturnType<LinkFields[Name]['schemas']>;

/** The names of the fields that have a schema of a kind. */
type NameWith<Kind extends Key> = {
  [Name in FieldName]: SchemasOf<Name> extends { readonly [K in Kind]: z.ZodType } ? Name : never;
}[FieldName];

type Schema<Name extends FieldName, Kind extends Key> =
  SchemasOf<Name> extends {
    readonly [K in Kind]: infer It extends z.ZodType;
  }
    ? It
    : never;

type OptionalShape<Kind extends Key> = { [Name in NameWith<Kind>]: z.ZodOptional<Schema<Name, Kind>> };

/**
 * The optional fields of one kind of request.
 *
 * @param without the fields that are left out
 */
export function optionalShape<Kind extends Key, Without extends string = never>(
  kind: Kind,
  without: readonly Without[],
): Omit<OptionalShape<Kind>, Without> {
  const shape = entriesOf(kind).flatMap(([name, schema]) =>
    without.some((other) => other === name) ? [] : [[name, schema.optional()]],
  );
  return Object.fromEntries(shape);
}

type EditShape = {
  [Name in NameWith<'edit'>]: z.ZodOptional<
    LinkFields[Name]['isClearable'] extends true ? z.ZodNullable<Schema<Name, 'edit'>> : Schema<Name, 'edit'>
  >;
};

/** The fields of an edit, all optional; those that a link can be without may be null. */
export function editShape(): EditShape {
  const shape = entriesOf('edit').map(([name, schema]) => {
    const { isClearable, editDescription }: LinkField = linkFields[name];
    const clearable = isClearable ? schema.nullable() : schema;
    const described = editDescription === undefined ? clearable : clearable.meta({ description: editDescription });
    return [name, described.optional()];
  });
  return Object.fromEntries(shape) as EditShape;
}

function entriesOf(kind: Key): [FieldName, z.ZodType][] {
  return FIELD_NAMES.flatMap((name) => {
    const { [kind]: schema }: FieldSchemas = linkFields[name].schemas();
    return schema ? [[name, schema]] : [];
  });
}

/** The names of the fields that have a schema of a kind, in the order of the table. */
export const namesWith = (kind: Key): FieldName[] => entriesOf(kind).map(([name]) => name);

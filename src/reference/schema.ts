import * as z from 'zod';

/** A JSON Schema, draft 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Registry = z.core.$ZodRegistry<{ id: string }>;

// What a caller sends and what a caller gets differ for one and the same schema: only sent texts are still to be read.
const sent: Registry = z.registry<{ id: string }>();
const told: Registry = z.registry<{ id: string }>();

/** A schema that has a name in the document. It is made when the document is: a start of the Worker has no use for it. */
export type Named<Schema extends z.ZodType = z.ZodType> = () => Schema;

/** Names the schema of a request's body. */
export function input<Schema extends z.ZodType>(id: string, make: () => Schema): Named<Schema> {
  return named(sent, id, make);
}

/** Names the schema of an answer, or of a part of one. */
export function output<Schema extends z.ZodType>(id: string, make: () => Schema): Named<Schema> {
  return named(told, id, make);
}

function named<Schema extends z.ZodType>(registry: Registry, id: string, make: () => Schema): Named<Schema> {
  let made: Schema | undefined;
  return () => {
    if (made !== undefined) return made;
    made = make();
    registry.add(made, { id });
    return made;
  };
}

/** The reference to a schema. Throws `TypeError` where it has no name. */
export function refTo(schema: Named): JsonSchema {
  const made = schema();
  const id = (sent.get(made) ?? told.get(made))?.id;
  if (id === undefined) throw new TypeError('a body of the API document has no name');
  return { $ref: pathOf(id) };
}

/** All named schemas that the document has referred to. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  const all = [...convert(sent, 'input'), ...convert(told, 'output')];
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function convert(registry: Registry, io: 'input' | 'output'): [id: string, schema: JsonSchema][] {
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, io, uri: pathOf });
  return Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...rest }]) => [id, rest]);
}

/** A schema without a name, such as that of a parameter. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { ...OPTIONS, io: 'input' });
  return rest;
}

const OPTIONS: z.core.ToJSONSchemaParams = { override: ({ jsonSchema }) => tidy(jsonSchema) };

function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  // Zod's patterns for these say what their format says, in 300 characters.
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern;
  // What a query carries as text is told as what it means.
  if (schema.type === 'integer') delete schema.pattern;
  if (schema['example'] !== undefined) {
    schema.examples = [schema['example']];
    delete schema['example'];
  }
  mergeNull(schema);
}

/** Says `type: [x, null]` for "x or null", which is easier to read. */
function mergeNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [some, none, ...more] = schema.anyOf ?? [];
  if (typeof some !== 'object' || typeof none !== 'object' || more.length > 0 || none.type !== 'null') return;
  if (typeof some.type !== 'string' || some.enum !== undefined) return;
  tidy(some);
  const { anyOf: _anyOf, ...outer } = schema;
  delete schema.anyOf;
  Object.assign(schema, some, outer, { type: [some.type, 'null'] });
}

function pathOf(id: string): string {
  return `#/components/schemas/${id}`;
}

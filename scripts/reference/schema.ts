import * as z from 'zod';
import { asText, mapSchemas, open, simplify, withDiscriminators, type JsonSchema } from './json-schema.ts';

export type { JsonSchema } from './json-schema.ts';

type Registry = z.core.$ZodRegistry<{ id: string }>;

// Two registries, since a schema may differ between requests and answers: only the texts of requests are parsed.
const inputs: Registry = z.registry<{ id: string }>();
const outputs: Registry = z.registry<{ id: string }>();

/** A schema with a name in the document. It is created with the document, so that the Worker starts faster. */
export type Named<Schema extends z.ZodType = z.ZodType> = () => Schema;

/** Names the schema of a request's body. */
export function input<Schema extends z.ZodType>(id: string, make: () => Schema): Named<Schema> {
  return named(inputs, id, make);
}

/** Names the schema of an answer, or of a part of one. */
export function output<Schema extends z.ZodType>(id: string, make: () => Schema): Named<Schema> {
  return named(outputs, id, make);
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

/** The reference to a schema. Throws `TypeError` if it has no name. */
export function refTo(schema: Named): JsonSchema {
  const made = schema();
  const id = (inputs.get(made) ?? outputs.get(made))?.id;
  if (id === undefined) throw new TypeError('a body of the API document has no name');
  return { $ref: pathOf(id) };
}

/** All named schemas that the document has referred to. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  const all = [...convert(inputs, 'input'), ...convert(outputs, 'output')];
  const schemas = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withDiscriminators(schema, schemas)]));
}

function convert(registry: Registry, io: 'input' | 'output'): [id: string, schema: JsonSchema][] {
  const { schemas } = z.toJSONSchema(registry, { io, uri: pathOf });
  return Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...rest }]) => {
    const schema = mapSchemas(rest, simplify);
    // Answers may get new fields at any time, so callers must accept unknown fields.
    return [id, mapSchemas(schema, io === 'output' ? open : asText)];
  });
}

/** A schema without a name, such as that of a parameter. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return mapSchemas(rest, simplify);
}

/** The properties of an object's schema, by name. */
export function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties: unknown = schema?.['properties'];
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}

function pathOf(id: string): string {
  return `#/components/schemas/${id}`;
}

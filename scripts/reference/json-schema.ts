/** A JSON Schema, draft 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Changes a schema and all schemas within it, the innermost first. */
export function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const within = (inner: unknown) => (isSchema(inner) ? mapSchemas(inner, change) : inner);
  const entries = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (ONE.has(name)) return [name, within(value)];
    if (LISTS.has(name) && Array.isArray(value)) return [name, value.map(within)];
    if (name !== 'properties' || !isSchema(value)) return [name, value];
    return [name, Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, within(inner)]))];
  });
  return change(Object.fromEntries(entries));
}

const ONE = new Set(['items', 'additionalProperties', 'contentSchema']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf']);

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema in a form that is easier to read. */
export const simplify = (schema: JsonSchema): JsonSchema => withoutRepeats(mergeNull(schema));

/** A schema without what repeats other parts of it, such as the few words for the list of tools. */
function withoutRepeats(schema: JsonSchema): JsonSchema {
  const { example, brief: _, ...rest } = schema;
  const kept = Object.entries(rest).filter(([name]) => !isRedundant(name, rest));
  return { ...Object.fromEntries(kept), ...(example !== undefined && { examples: [example] }) };
}

function isRedundant(name: string, { type, format }: JsonSchema): boolean {
  // Zod's patterns for these repeat the format, in 300 characters.
  if (name === 'pattern' && (format === 'date-time' || format === 'date')) return true;
  // In an answer every field is read-only.
  if (name === 'readOnly') return true;
  // Query parameters are texts; the document gives the type that they are parsed to.
  return (name === 'pattern' && type === 'integer') || (name === 'enum' && type === 'boolean');
}

/** Writes `type: [x, null]` for "x or null" as far as it can, and describes the whole. */
function mergeNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...outer } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [some, none]: unknown[] = anyOf;
  if (!isSchema(some) || !isSchema(none) || none['type'] !== 'null') return schema;
  if (typeof some['type'] !== 'string' || some['enum'] !== undefined) {
    const { description, ...rest } = some;
    return description === undefined ? schema : { description, ...outer, anyOf: [rest, none] };
  }
  return { ...some, ...outer, type: [some['type'], 'null'] };
}

/** Removes the media type, since client generators would read a form field that has one as a file. */
export function asText(schema: JsonSchema): JsonSchema {
  const { contentMediaType: _type, ...rest } = schema;
  return rest;
}

/** An object that may have further fields. */
export function open({ additionalProperties, ...rest }: JsonSchema): JsonSchema {
  return additionalProperties === false || additionalProperties === undefined
    ? rest
    : { ...rest, additionalProperties };
}

/** Adds the discriminator to alternatives (OpenAPI 3.1, section 4.8.25), if all of them have names. */
export function withDiscriminators(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return mapSchemas(schema, (inner) => {
    const alternatives = Array.isArray(inner['oneOf']) ? inner['oneOf'].map((one: JsonSchema) => one['$ref']) : [];
    const refs = alternatives.filter((ref) => typeof ref === 'string');
    if (refs.length === 0 || refs.length < alternatives.length) return inner;
    const fields = refs.map((ref) => fieldsOf(named[ref.split('/').at(-1) ?? '']));
    const propertyName = Object.keys(fields[0] ?? {}).find((name) =>
      areDistinct(fields.map((each) => each[name] ?? [])),
    );
    if (propertyName === undefined) return inner;
    const mapping = refs.flatMap((ref, index) => fields[index]?.[propertyName]?.map((value) => [value, ref]) ?? []);
    return { ...inner, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
  });
}

// The values that each field of an object may have, if the schema lists them.
function fieldsOf(schema: JsonSchema | undefined): Readonly<Record<string, readonly string[]>> {
  const properties = isSchema(schema?.['properties']) ? Object.entries(schema['properties']) : [];
  return Object.fromEntries(
    properties.map(([name, field]) => {
      const { const: one, enum: some } = isSchema(field) ? field : {};
      const values: unknown[] = Array.isArray(some) ? some : [one];
      return [name, values.every((value) => typeof value === 'string') ? values : []];
    }),
  );
}

function areDistinct(values: readonly (readonly string[])[]): boolean {
  const all = values.flat();
  return values.every(({ length }) => length > 0) && new Set(all).size === all.length;
}

import { expand, isObject, listOf, objectOf, pointed, resolve, textsOf, type Json, type JsonObject } from './json.ts';

/** A JSON Schema in a form for comparison: references resolved, `allOf` merged, "or null" written in one way. */
export interface Shape {
  /** The possible types, or null for all. An integer is a number too. */
  readonly types: ReadonlySet<string> | null;
  /** The values of `enum` or `const`, or null if any value is allowed. */
  readonly values: readonly Json[] | null;
  readonly properties: JsonObject;
  readonly required: ReadonlySet<string>;
  /** The alternative schemas, or null. */
  readonly alternatives: readonly Json[] | null;
  /** True if only one of them may match (`oneOf`). */
  readonly isExclusive: boolean;
  readonly isDeprecated: boolean;
  /** All other keywords that constrain values, with references resolved. */
  readonly rest: JsonObject;
}

/** Keywords that do not constrain values. */
const ANNOTATIONS = new Set(
  '$schema $id $anchor $comment $defs definitions title description example examples externalDocs xml deprecated discriminator'.split(
    ' ',
  ),
);
/** Keywords that hold schemas, which are compared as schemas. */
export const NESTED = new Set(['items', 'additionalProperties', 'contentSchema']);
const READ = new Set('type nullable enum const properties required allOf anyOf oneOf readOnly writeOnly'.split(' '));

/** Reads a schema of a document. Null stands for a schema that allows nothing, or that this tool cannot merge. */
export function shapeOf(document: JsonObject, schema: Json | undefined): Shape | null {
  const merged = merge(document, schema, 0);
  // With both lists, a value must match both, which this form cannot express.
  if (merged === null || ('anyOf' in merged && 'oneOf' in merged)) return null;
  const values = 'const' in merged ? [merged['const'] ?? null] : 'enum' in merged ? listOf(merged['enum']) : null;
  const alternatives = merged['anyOf'] ?? merged['oneOf'];
  return {
    types: typesOf(merged, values),
    values,
    properties: objectOf(merged['properties']),
    required: new Set(textsOf(merged['required'])),
    alternatives: alternatives === undefined ? null : listOf(alternatives),
    isExclusive: 'oneOf' in merged,
    isDeprecated: merged['deprecated'] === true,
    rest: Object.fromEntries(
      Object.entries(merged)
        .filter(([name]) => isConstraint(name) && !READ.has(name))
        .map(([name, value]) => [name, NESTED.has(name) ? value : expand(document, value)]),
    ),
  };
}

/** True if a schema allows everything. */
export function allowsAll({ types, values, properties, required, alternatives, rest }: Shape): boolean {
  const isOpen = types === null && values === null && alternatives === null;
  return isOpen && Object.keys(properties).length === 0 && required.size === 0 && Object.keys(rest).length === 0;
}

function isConstraint(name: string): boolean {
  return !ANNOTATIONS.has(name) && !name.startsWith('x-');
}

function typesOf(schema: JsonObject, values: readonly Json[] | null): ReadonlySet<string> | null {
  const { type } = schema;
  if (type === undefined && values === null) return null;
  const types = new Set(typeNames(type));
  if (schema['nullable'] === true) types.add('null');
  // Values are more precise than any type.
  const ofValues = new Set(values?.map(typeOf));
  if (values === null) return types;
  return type === undefined ? ofValues : new Set([...ofValues].filter((name) => types.has(name)));
}

// Every integer is a number.
function typeNames(type: Json | undefined): readonly string[] {
  const names = typeof type === 'string' ? [type] : textsOf(type);
  return names.includes('number') ? [...names, 'integer'] : names;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const MAX_DEPTH = 50;

function merge(document: JsonObject, schema: Json | undefined, depth: number): JsonObject | null {
  if (schema === undefined || schema === true) return {};
  if (!isObject(schema) || depth > MAX_DEPTH) return null;
  const { allOf, ...own } = referenceAsPart(document, schema);
  let merged: JsonObject | null = own;
  for (const part of [...listOf(allOf), ...orNull(document, own)]) {
    const next = merge(document, part, depth + 1);
    merged = merged && next && both(merged, next);
  }
  return merged;
}

// Keywords beside a reference apply together with the schema it refers to (JSON Schema 2020-12, section 8.2.3.1).
function referenceAsPart(document: JsonObject, schema: JsonObject): JsonObject {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  // Throws if the reference forms a circle.
  resolve(document, schema);
  return { allOf: [pointed(document, reference), beside] };
}

// "x or null": x is merged into the schema, and null is added to its types. The union itself disappears.
function orNull(document: JsonObject, own: JsonObject): readonly Json[] {
  for (const word of ['anyOf', 'oneOf']) {
    const members = listOf(own[word]);
    const others = members.filter((member) => objectOf(resolve(document, member))['type'] !== 'null');
    const [only] = others;
    if (others.length !== 1 || members.length !== 2 || only === undefined) continue;
    const some = objectOf(resolve(document, only));
    // A union within the union would replace the one that disappears.
    if ('anyOf' in some || 'oneOf' in some || 'allOf' in some) continue;
    const values = 'const' in some ? [some['const'] ?? null] : 'enum' in some ? listOf(some['enum']) : null;
    const { const: _const, ...rest } = some;
    const types = typeof some['type'] === 'string' ? [some['type']] : textsOf(some['type']);
    return [
      {
        ...rest,
        ...(types.length > 0 && { type: [...types, 'null'] }),
        ...(values && { enum: [...values, null] }),
        [word]: WITHDRAWN,
      },
    ];
  }
  return [];
}

const WITHDRAWN = 'withdrawn';

function both(one: JsonObject, other: JsonObject): JsonObject | null {
  const merged: Record<string, Json> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const known = merged[name];
    if (value === WITHDRAWN) delete merged[name];
    else if (known === undefined || !isConstraint(name)) merged[name] = value;
    else {
      const joined = join(name, known, value);
      if (joined === null) return null;
      merged[name] = joined;
    }
  }
  return merged;
}

function join(name: string, one: Json, other: Json): Json | null {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (name === 'required') return [...new Set([...textsOf(one), ...textsOf(other)])];
  if (name === 'properties') {
    const [first, second] = [objectOf(one), objectOf(other)];
    const shared = Object.keys(second).filter((key) => key in first);
    const joined = shared.map((key) => [key, { allOf: [first[key] ?? true, second[key] ?? true] }] as const);
    return { ...first, ...second, ...Object.fromEntries(joined) };
  }
  if (name === 'type') {
    const types = new Set(typeNames(other));
    return [...new Set(typeNames(one))].filter((type) => types.has(type));
  }
  if (typeof one !== 'number' || typeof other !== 'number') return null;
  if (/^(exclusiveMinimum|min)/.test(name)) return Math.max(one, other);
  return /^(exclusiveMaximum|max)/.test(name) ? Math.min(one, other) : null;
}

import type { JsonSchema } from './json-schema.ts';

/**
 * The schemas in the list of tools, which a model reads whole before its first call. They have the names, the types, the
 * choices, what is required, and a few words on each field. The exact limits are left out: each call is checked by the
 * schemas that these come from, and its errors name the field and the remedy. No schema refuses what a call accepts.
 *
 * They have neither `$ref` nor lists of types, since some programs cannot read them.
 */

interface Part extends JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  /** The few words, if they are not the first clause of the description; '' if the name says it. */
  readonly brief?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
}

/** The schema of an argument. */
export const toolInput = (schema: JsonSchema): JsonSchema => ofInput(schema);

/** The schema of an argument that another tool describes: its type alone. */
export function likeInput(schema: JsonSchema, tool: string): JsonSchema {
  const { description: _, ...whole } = ofInput(schema);
  const rest = withoutParts(whole);
  const isWhole = 'type' in whole || 'anyOf' in whole;
  return isWhole && JSON.stringify(rest) === JSON.stringify(whole) ? whole : { description: `As in ${tool}`, ...rest };
}

/** The schema of a result: the fields that always have a value, with their types. */
export function toolOutput({ properties = {} }: Part): JsonSchema {
  const types = Object.entries(properties).flatMap(([name, { type }]) =>
    typeof type === 'string' ? [[name, { type }]] : [],
  );
  return { type: 'object', properties: Object.fromEntries(types) };
}

/** The schema of a result that has the fields of another tool's result: the others alone. */
export function likeOutput({ properties = {} }: Part, { properties: known = {} }: Part, tool: string): JsonSchema {
  const others = Object.entries(properties).filter(([name]) => !Object.hasOwn(known, name));
  const { type, properties: added } = toolOutput({ properties: Object.fromEntries(others) });
  return { description: `As that of ${tool}`, type, ...(others.length > 0 && { properties: added }) };
}

function withoutParts(part: Part): Part {
  const { properties: _, required: __, ...rest } = part;
  return {
    ...rest,
    ...(rest.items && { items: withoutParts(rest.items) }),
    ...(rest.anyOf && { anyOf: rest.anyOf.map(withoutParts) }),
  };
}

function ofInput(part: Part): Part {
  const { type, anyOf, oneOf, items, properties, required } = part;
  if (oneOf !== undefined) return merged(oneOf);
  if (anyOf !== undefined) return ofAlternatives(part, anyOf);
  if (Array.isArray(type))
    return ofAlternatives(
      part,
      (type as string[]).map((each) => ({ ...part, type: each })),
    );
  const choices = part.enum ?? (typeof part.const === 'string' ? [part.const] : undefined);
  return {
    ...described(wordsOf(part)),
    ...(type !== undefined && { type }),
    ...(choices && { enum: choices }),
    ...(items && { items: undescribed(ofInput(items)) }),
    ...(properties && { properties: mapValues(properties, ofInput) }),
    ...(required && { required }),
  };
}

/** One of several schemas; texts of several forms are a text. */
function ofAlternatives(part: Part, alternatives: readonly Part[]): Part {
  const [first, ...others] = alternatives.filter(({ type }) => type !== 'null').map(ofInput);
  const { description, ...rest } = first ?? {};
  const one: Part = others.length === 0 ? rest : others.every(({ type }) => type === rest.type) ? typeOf(rest) : {};
  const words = described(wordsOf(part) ?? description);
  const isNullable = alternatives.some(({ type }) => type === 'null');
  // A schema without a type accepts null too.
  return isNullable && one.type !== undefined ? { ...words, anyOf: [one, { type: 'null' }] } : { ...words, ...one };
}

const typeOf = ({ type }: Part): Part => (type === undefined ? {} : { type });

/** Objects that one field distinguishes, as one object with the fields of all of them. */
function merged(kinds: readonly Part[]): Part {
  const fieldsOf = ({ properties = {} }: Part) => properties;
  const names = [...new Set(kinds.flatMap((kind) => Object.keys(fieldsOf(kind))))];
  const kindName = names.find((name) => kinds.every((kind) => typeof fieldsOf(kind)[name]?.const === 'string'));
  const properties = names.map((name): [string, Part] => {
    const those = kinds.flatMap((kind) => {
      const field = fieldsOf(kind)[name];
      const of = String(fieldsOf(kind)[kindName ?? '']?.const);
      return field === undefined ? [] : [{ of, field, isOptional: !kind.required?.includes(name) }];
    });
    if (name === kindName) return [name, { type: 'string', enum: those.map(({ of }) => of) }];
    const { description: _, ...rest } = ofInput(those[0]?.field ?? {});
    return [name, { ...described(wordsOfAll(those, kinds.length)), ...rest }];
  });
  const required = names.filter((name) => kinds.every((kind) => kind.required?.includes(name)));
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

interface FieldOfKind {
  readonly of: string;
  readonly field: Part;
  readonly isOptional: boolean;
}

/** The words on a field of several kinds; those on each kind, if they differ. */
function wordsOfAll(those: readonly FieldOfKind[], kinds: number): string | undefined {
  const words = those.map(({ field }) => field.items?.brief ?? wordsOf(field));
  if (those.length === kinds && new Set(words).size === 1) return words[0];
  return those
    .map(({ of, isOptional }, index) => `${of}${isOptional ? ' (optional)' : ''}: ${words[index]}`)
    .join('; ');
}

const FORMS: Readonly<Record<string, string>> = { date: 'YYYY-MM-DD', 'date-time': 'ISO 8601' };

function wordsOf({ brief, description, format = '' }: Part): string | undefined {
  const words = brief ?? description?.split(/[.:;] /, 1)[0]?.replace(/\.$/, '');
  const form = FORMS[format];
  return words === undefined || form === undefined ? words : `${words} (${form})`;
}

const described = (description: string | undefined): Part => (description ? { description } : {});

function undescribed(part: Part): Part {
  const { description: _, ...rest } = part;
  return rest;
}

const mapValues = (parts: Readonly<Record<string, Part>>, change: (part: Part) => Part) =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));

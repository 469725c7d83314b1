/** JSON values, and how to read them without a schema. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is a list, else an empty list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of the value if it is a list, else none. */
export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((entry) => typeof entry === 'string');
}

/** The value if it is a text, else an empty text. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The items of one list that the other does not have. */
export function without(list: Iterable<string>, other: ReadonlySet<string>): readonly string[] {
  return [...list].filter((entry) => !other.has(entry));
}

/** A text that is the same for two values if and only if they are equal, whatever the order of their names. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((entry: Json) => canonical(entry)).join(',')}]`;
  if (!isObject(value)) return value === undefined ? '' : JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** The names of both, those of the first one first. */
export function namesOf(before: Iterable<string>, after: Iterable<string>): readonly string[] {
  return [...new Set([...before, ...after])];
}

/**
 * Follows the `$ref` of a value; fields beside the `$ref` override those it refers to. Throws `TypeError` for a
 * reference that cannot be found, leads out of the document, or forms a circle.
 */
export function resolve(document: JsonObject, value: Json | undefined): Json | undefined {
  const passed = new Set<string>();
  let found = value;
  const beside: JsonObject[] = [];
  while (isObject(found) && typeof found['$ref'] === 'string') {
    const { $ref: reference, ...rest } = found;
    if (typeof reference !== 'string' || passed.has(reference))
      throw new TypeError(`${canonical(reference)} refers to itself`);
    passed.add(reference);
    beside.unshift(rest);
    found = pointed(document, reference);
  }
  return isObject(found) && beside.length > 0 ? Object.assign({}, found, ...beside) : found;
}

/**
 * A value in which references are replaced by what they refer to, so that two values can be compared as texts. A
 * reference back into itself is replaced by how many levels it leads back. Throws like `resolve`.
 */
export function expand(document: JsonObject, value: Json | undefined, passed: readonly string[] = []): Json {
  if (Array.isArray(value)) return value.map((entry: Json) => expand(document, entry, passed));
  if (!isObject(value)) return value ?? null;
  const { $ref: reference, ...own } = value;
  const rest = Object.fromEntries(
    Object.entries(typeof reference === 'string' ? own : value).map(([name, entry]) => [
      name,
      expand(document, entry, passed),
    ]),
  );
  if (typeof reference !== 'string') return rest;
  const back = passed.length - passed.indexOf(reference);
  const found = passed.includes(reference)
    ? { $ref: back }
    : expand(document, pointed(document, reference), [...passed, reference]);
  return Object.keys(own).length === 0 ? found : { ...rest, $ref: found };
}

/**
 * The value that a reference points to, which may be another reference. Throws `TypeError` if it cannot be found, or
 * leads out of the document.
 */
export function pointed(document: JsonObject, reference: string): Json {
  if (!reference.startsWith('#/')) throw new TypeError(`${reference} is not in this document`);
  let found: Json | undefined = document;
  for (const part of reference.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    found = Array.isArray(found) ? found[Number(name)] : objectOf(found)[name];
  }
  if (found === undefined) throw new TypeError(`${reference} leads nowhere`);
  return found;
}

/** What JSON can say, and how to read it without knowing what it says. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that stands here, or an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The list that stands here, or an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of the list that stands here. */
export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((entry) => typeof entry === 'string');
}

/** The text that stands here, or an empty one. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** What is in one list and not in the other. */
export function without(list: Iterable<string>, other: ReadonlySet<string>): readonly string[] {
  return [...list].filter((entry) => !other.has(entry));
}

/** A text that two values share if and only if they say the same, in whatever order their names stand. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((entry: Json) => canonical(entry)).join(',')}]`;
  if (!isObject(value)) return value === undefined ? '' : JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** The names of both, those of the first in front. */
export function namesOf(before: Iterable<string>, after: Iterable<string>): readonly string[] {
  return [...new Set([...before, ...after])];
}

/**
 * Finds what a `$ref` of a document stands for; what else stands beside it wins over what is found.
 * Throws `TypeError` for a reference that leads nowhere, out of the document, or round in a circle.
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
 * A value with what its references stand for in their places, so that two texts of it can be compared. A reference back
 * into itself is left as how far back it leads. Throws as `resolve` does.
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

/** Finds what a reference stands for, be it another one. Throws `TypeError` where it leads nowhere, or out of the document. */
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

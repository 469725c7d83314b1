import { canonical, isObject, listOf, objectOf, resolve, textOf, textsOf, type JsonObject } from './json.ts';
import type { Operation } from './operation.ts';
import { finding, type Finding, type Location } from './rules.ts';
import type { Comparison } from './comparison.ts';

const LOCATION: Location = { direction: 'input', subject: 'credential', field: '' };

/**
 * Compares the credentials of an operation. Each alternative is identified by what has to be sent, not by its name in
 * the document.
 */
export function compareSecurity(documents: Comparison, before: Operation, after: Operation): readonly Finding[] {
  const [old, now] = [waysOf(documents.before, before), waysOf(documents.after, after)];
  return [
    ...[...old]
      .filter(([key]) => !now.has(key))
      .map(([, name]) => finding(LOCATION, `${name} refused now`, 'narrowed')),
    ...[...now].filter(([key]) => !old.has(key)).map(([, name]) => finding(LOCATION, `${name} taken now`, 'widened')),
  ];
}

function waysOf(document: JsonObject, { operation }: Operation): ReadonlyMap<string, string> {
  const ways = listOf(operation['security'] ?? document['security']).map(objectOf);
  // No requirement is the same as one that sends nothing.
  return new Map((ways.length > 0 ? ways : [{}]).map((way) => [keyOf(document, way), wordsOf(document, way)]));
}

function keyOf(document: JsonObject, way: JsonObject): string {
  const needs = Object.entries(way).map(([name, scopes]) => {
    const { description: _description, bearerFormat: _format, scheme, name: key, ...rest } = schemeOf(document, name);
    // Headers and schemes are not case-sensitive; the names of queries and cookies are.
    const sent = rest['in'] === 'header' ? textOf(key).toLowerCase() : textOf(key);
    return canonical([rest, textOf(scheme).toLowerCase(), sent, textsOf(scopes).toSorted()]);
  });
  return canonical(needs.toSorted());
}

function wordsOf(document: JsonObject, way: JsonObject): string {
  const needs = Object.keys(way).map((name) => {
    const { type, scheme, in: where, name: key } = schemeOf(document, name);
    if (type === 'http') return textOf(scheme);
    return type === 'apiKey' ? `${textOf(where)} ${textOf(key)}` : name;
  });
  return needs.join(' and ') || 'none';
}

function schemeOf(document: JsonObject, name: string): JsonObject {
  const schemes = objectOf(objectOf(document['components'])['securitySchemes']);
  const found = resolve(document, schemes[name]);
  if (!isObject(found)) throw new TypeError(`there is no security scheme ${name}`);
  return found;
}

import { isObject, namesOf, resolve, type Json, type JsonObject } from './json.ts';
import { compareParameter } from './parameters.ts';
import { finding, removal, type Finding, type Location } from './rules.ts';
import type { Comparison } from './comparison.ts';

/** Compares the headers of an answer, whose names are not case-sensitive. */
export function compareHeaders(
  documents: Comparison,
  before: JsonObject,
  after: JsonObject,
  location: Location,
): readonly Finding[] {
  const [old, now] = [byLowerName(before), byLowerName(after)];
  return namesOf(old.keys(), now.keys()).flatMap((name) => {
    const [was, is] = [
      resolve(documents.before, old.get(name)?.header),
      resolve(documents.after, now.get(name)?.header),
    ];
    const there = {
      ...location,
      subject: `${location.subject} header \`${(now.get(name) ?? old.get(name))?.name ?? name}\``,
    };
    if (!isObject(was)) return [finding(there, 'added', 'added')];
    if (!isObject(is)) return [finding(there, 'removed', removal(was['deprecated'] === true))];
    return compareParameter(documents, was, is, there);
  });
}

function byLowerName(headers: JsonObject): ReadonlyMap<string, { readonly name: string; readonly header: Json }> {
  return new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), { name, header }]));
}

import { canonical, objectOf, type Json, type JsonObject } from './json.ts';
import { finding, type Finding, type Location } from './rules.ts';
import type { Comparison } from './comparison.ts';
import { shapeOf, type Shape } from './shape.ts';

type Compare = (before: Json, after: Json) => readonly Finding[];
type Belongs = (before: Json, after: Json) => boolean;

/** Compares the alternative schemas of `oneOf` and `anyOf`. */
export function compareAlternatives(
  documents: Comparison,
  old: Shape,
  now: Shape,
  location: Location,
  compare: Compare,
): readonly Finding[] {
  if (old.alternatives === null && now.alternatives === null) return [];
  if (old.alternatives === null) return [finding(location, 'has alternatives now', 'unclassified')];
  if (now.alternatives === null) return [finding(location, 'has no alternatives any more', 'unclassified')];
  const findings = compareAll(documents, [...old.alternatives], [...now.alternatives], location, compare);
  if (old.isExclusive === now.isExclusive) return findings;
  return [
    ...findings,
    now.isExclusive
      ? finding(location, 'may be one of its alternatives only now', 'narrowed')
      : finding(location, 'may be several of its alternatives now', 'widened'),
  ];
}

function compareAll(
  documents: Comparison,
  gone: Json[],
  come: Json[],
  location: Location,
  compare: Compare,
): readonly Finding[] {
  take(gone, come, (before, after) => compare(before, after).length === 0);
  const pairs = take(gone, come, (before, after) => isOfOneKind(documents, before, after));
  const [onlyRemoved, onlyAdded] = [gone[0], come[0]];
  // If one is left on each side, they are the same schema, changed.
  if (gone.length === 1 && come.length === 1 && onlyRemoved !== undefined && onlyAdded !== undefined) {
    return [...pairs, [onlyRemoved, onlyAdded] as const].flatMap(([before, after]) => compare(before, after));
  }
  return [
    ...pairs.flatMap(([before, after]) => compare(before, after)),
    ...gone.map((schema) => finding(location, `lost the alternative ${nameOf(schema)}`, 'narrowed')),
    ...come.map((schema) => finding(location, `gained the alternative ${nameOf(schema)}`, 'widened')),
  ];
}

/** Removes matching pairs from both lists, and returns them. */
function take(gone: Json[], come: Json[], belongs: Belongs): (readonly [before: Json, after: Json])[] {
  const pairs: (readonly [Json, Json])[] = [];
  for (const before of gone.slice()) {
    const after = come.find((candidate) => belongs(before, candidate));
    if (after === undefined) continue;
    gone.splice(gone.indexOf(before), 1);
    come.splice(come.indexOf(after), 1);
    pairs.push([before, after]);
  }
  return pairs;
}

// Matched by the name of the schema, or by a field with the same fixed value in both.
function isOfOneKind(documents: Comparison, before: Json, after: Json): boolean {
  const [one, other] = [objectOf(before), objectOf(after)];
  if (one['$ref'] !== undefined && one['$ref'] === other['$ref']) return true;
  const known = fixedFields(documents.before, before);
  return fixedFields(documents.after, after).some((field) => known.includes(field));
}

function fixedFields(document: JsonObject, schema: Json): readonly string[] {
  return Object.entries(shapeOf(document, schema)?.properties ?? {}).flatMap(([name, field]) => {
    const values = shapeOf(document, field)?.values;
    return values?.length === 1 ? [canonical([name, ...values])] : [];
  });
}

function nameOf(schema: Json): string {
  const { $ref, title, type } = objectOf(schema);
  if (typeof $ref === 'string') return `\`${$ref.split('/').at(-1) ?? $ref}\``;
  if (typeof title === 'string') return `\`${title}\``;
  return `\`${typeof type === 'string' ? type : canonical(schema).slice(0, 60)}\``;
}

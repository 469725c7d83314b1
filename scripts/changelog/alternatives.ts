import { canonical, objectOf, type Json } from './json.ts';
import { finding, type Finding, type Place } from './rules.ts';
import type { Shape } from './shape.ts';

type Compare = (before: Json, after: Json) => readonly Finding[];
type Belongs = (before: Json, after: Json) => boolean;

/** Says what has happened to the schemas of which one has to hold (`oneOf`, `anyOf`). */
export function compareAlternatives(old: Shape, now: Shape, place: Place, compare: Compare): readonly Finding[] {
  if (old.alternatives === null && now.alternatives === null) return [];
  if (old.alternatives === null) return [finding(place, 'has alternatives now', 'unclassified')];
  if (now.alternatives === null) return [finding(place, 'has no alternatives any more', 'unclassified')];
  const gone = [...old.alternatives];
  const come = [...now.alternatives];
  take(gone, come, (before, after) => compare(before, after).length === 0);
  const pairs = take(gone, come, (before, after) => isOfOneKind(before, after));
  const [onlyGone, onlyCome] = [gone[0], come[0]];
  // The last one left on either side is the same, changed.
  if (gone.length === 1 && come.length === 1 && onlyGone !== undefined && onlyCome !== undefined) {
    return [...pairs, [onlyGone, onlyCome] as const].flatMap(([before, after]) => compare(before, after));
  }
  return [
    ...pairs.flatMap(([before, after]) => compare(before, after)),
    ...gone.map((schema) => finding(place, `lost the alternative ${nameOf(schema)}`, 'narrowed')),
    ...come.map((schema) => finding(place, `gained the alternative ${nameOf(schema)}`, 'widened')),
  ];
}

/** Takes out of both lists, pair by pair, what belongs together. */
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

// By the name of the schema, or by a field that has one fixed value in each.
function isOfOneKind(before: Json, after: Json): boolean {
  const [one, other] = [objectOf(before), objectOf(after)];
  if (one['$ref'] !== undefined && one['$ref'] === other['$ref']) return true;
  const fixed = Object.entries(objectOf(one['properties'])).filter(([, value]) => 'const' in objectOf(value));
  return fixed.some(
    ([name, value]) => objectOf(objectOf(other['properties'])[name])['const'] === objectOf(value)['const'],
  );
}

function nameOf(schema: Json): string {
  const { $ref, title, type } = objectOf(schema);
  if (typeof $ref === 'string') return `\`${$ref.split('/').at(-1) ?? $ref}\``;
  if (typeof title === 'string') return `\`${title}\``;
  return `\`${typeof type === 'string' ? type : canonical(schema).slice(0, 60)}\``;
}

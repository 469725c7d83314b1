import type { Comparison } from './comparison.ts';
import { compareAlternatives } from './alternatives.ts';
import { compareConstraints } from './constraints.ts';
import {
  canonical,
  expand,
  isObject,
  namesOf,
  objectOf,
  resolve,
  without,
  type Json,
  type JsonObject,
} from './json.ts';
import { finding, removal, tellsCode, within, type Finding, type Place } from './rules.ts';
import { allowsAll, shapeOf, type Shape } from './shape.ts';

/** Whether two parts of the documents are the same, word for word, once references are followed. */
export function saysTheSame(documents: Comparison, before: Json | undefined, after: Json | undefined): boolean {
  return canonical(expand(documents.before, before)) === canonical(expand(documents.after, after));
}

/** Says what has happened to a schema: to its type, its bounds, its fields and theirs. Absent allows everything. */
export function compareSchemas(
  documents: Comparison,
  before: Json | undefined,
  after: Json | undefined,
  place: Place,
): readonly Finding[] {
  const pair = canonical([before ?? null, after ?? null]);
  if (documents.underWay.has(pair)) return [];
  const inside = { ...documents, underWay: new Set([...documents.underWay, pair]) };
  const [old, now] = [shapeOf(documents.before, before), shapeOf(documents.after, after)];
  if (old === null || now === null) {
    return old === now && saysTheSame(documents, before, after)
      ? []
      : [finding(place, 'changed in a way that cannot be compared', 'unclassified')];
  }
  const wasOpen = allowsAll(old);
  if (wasOpen !== allowsAll(now)) {
    return [
      wasOpen ? finding(place, 'has a schema now', 'narrowed') : finding(place, 'has no schema any more', 'widened'),
    ];
  }
  if (wasOpen) return compareDeprecation(old, now, place);
  return [
    ...compareDeprecation(old, now, place),
    ...compareTypes(old, now, place),
    ...compareConstraints(old.rest, now.rest, place),
    ...compareFields(inside, old, now, place),
    ...compareNested(inside, old, now, place),
    ...compareAlternatives(inside, old, now, place, (one, other) => compareSchemas(inside, one, other, place)),
  ];
}

function compareDeprecation(old: Shape, now: Shape, place: Place): readonly Finding[] {
  if (old.isDeprecated === now.isDeprecated) return [];
  return [
    now.isDeprecated ? finding(place, 'deprecated', 'deprecated') : finding(place, 'not deprecated any more', 'added'),
  ];
}

const ALL_TYPES = new Set(['null', 'boolean', 'object', 'array', 'string', 'number', 'integer']);

function compareTypes(old: Shape, now: Shape, place: Place): readonly Finding[] {
  const [before, after] = [old.types ?? ALL_TYPES, now.types ?? ALL_TYPES];
  const lost = without(before, after).length > 0;
  const gained = without(after, before).length > 0;
  const types =
    lost || gained
      ? [
          finding(
            place,
            `changed its type from ${named(old)} to ${named(now)}`,
            ...(lost ? (['narrowed'] as const) : []),
            ...(gained ? (['widened'] as const) : []),
          ),
        ]
      : [];
  return [...types, ...compareValues(old, now, place)];
}

function named({ types }: Shape): string {
  if (types === null) return 'any';
  return [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ') || 'none';
}

function compareValues({ values: old }: Shape, { values: now }: Shape, place: Place): readonly Finding[] {
  if (old === null && now === null) return [];
  // What a failure is called is a list that grows.
  const isCode = tellsCode(place);
  if (old === null) return [finding(place, 'has a list of values now', isCode ? 'codes' : 'narrowed')];
  if (now === null) return [finding(place, 'has no list of values any more', isCode ? 'codes' : 'widened')];
  const [before, after] = [new Set(old.map(canonical)), new Set(now.map(canonical))];
  // Null among the values is told with the types.
  const [gone, come] = [without(before, after), without(after, before)].map((values) =>
    values.filter((value) => value !== 'null'),
  );
  return [
    ...(gone ?? []).map((value) => finding(place, `lost the value \`${value}\``, isCode ? 'codes' : 'narrowed')),
    ...(come ?? []).map((value) => finding(place, `gained the value \`${value}\``, isCode ? 'codes' : 'widened')),
  ];
}

function compareFields(documents: Comparison, old: Shape, now: Shape, place: Place): readonly Finding[] {
  const [before, after] = [fieldsOf(documents.before, old, place), fieldsOf(documents.after, now, place)];
  const [wereRequired, areRequired] = [requiredOf(old, before), requiredOf(now, after)];
  return namesOf([...before, ...wereRequired], [...after, ...areRequired]).flatMap((name) => {
    const there = within(place, name);
    const [wasNamed, isNamed] = [before.has(name), after.has(name)];
    const [wasRequired, isRequired] = [wereRequired.has(name), areRequired.has(name)];
    if (wasNamed && !isNamed) {
      const wasDeprecated = shapeOf(documents.before, old.properties[name])?.isDeprecated ?? false;
      return [finding(there, 'removed', removal(wasDeprecated))];
    }
    if (!wasNamed && isNamed) {
      return [isRequired ? finding(there, 'added, required', 'demanded') : finding(there, 'added', 'added')];
    }
    const need =
      wasRequired === isRequired
        ? []
        : [isRequired ? finding(there, 'made required', 'narrowed') : finding(there, 'made optional', 'widened')];
    return [...need, ...compareSchemas(documents, old.properties[name], now.properties[name], there)];
  });
}

// What callers only get is no part of what they send, and the other way round.
function fieldsOf(document: JsonObject, { properties }: Shape, { direction }: Place): ReadonlySet<string> {
  const other = direction === 'input' ? 'readOnly' : 'writeOnly';
  const names = Object.keys(properties).filter((name) => objectOf(resolve(document, properties[name]))[other] !== true);
  return new Set(names);
}

function requiredOf({ required, properties }: Shape, fields: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...required].filter((name) => fields.has(name) || !Object.hasOwn(properties, name)));
}

function compareNested(documents: Comparison, old: Shape, now: Shape, place: Place): readonly Finding[] {
  const { rest: before } = old;
  const { rest: after } = now;
  return [
    ...compareSchemas(documents, before['items'], after['items'], within(place, '[]')),
    ...compareFurther(documents, before['additionalProperties'], after['additionalProperties'], place),
    ...compareSchemas(documents, before['contentSchema'], after['contentSchema'], within(place, '(JSON)')),
  ];
}

function compareFurther(
  documents: Comparison,
  before: Json | undefined,
  after: Json | undefined,
  place: Place,
): readonly Finding[] {
  const [wasClosed, isClosed] = [before === false, after === false];
  if (wasClosed && isClosed) return [];
  // Callers must always accept new fields in an answer, even if the schema has not allowed them.
  if (wasClosed && place.direction === 'output') return [];
  if (isClosed) return [finding(place, 'takes no further fields any more', 'narrowed')];
  if (wasClosed) return [finding(place, 'may have further fields now', 'widened')];
  if (!isObject(before) && !isObject(after)) return [];
  return compareSchemas(documents, before, after, within(place, '*'));
}

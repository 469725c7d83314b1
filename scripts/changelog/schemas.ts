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
import { finding, removal, holdsOpenWord, within, type Finding, type Location } from './rules.ts';
import { allowsAll, shapeOf, type Shape } from './shape.ts';

/** True if two parts of the documents are equal, once references are followed. */
export function isEqual(documents: Comparison, before: Json | undefined, after: Json | undefined): boolean {
  return canonical(expand(documents.before, before)) === canonical(expand(documents.after, after));
}

/**
 * Compares a schema: its type, its bounds and its fields, which are compared in the same way. An absent schema allows
 * everything.
 */
export function compareSchemas(
  documents: Comparison,
  before: Json | undefined,
  after: Json | undefined,
  location: Location,
): readonly Finding[] {
  const pair = canonical([before ?? null, after ?? null]);
  if (documents.underWay.has(pair)) return [];
  const inside = { ...documents, underWay: new Set([...documents.underWay, pair]) };
  const [old, now] = [shapeOf(documents.before, before), shapeOf(documents.after, after)];
  if (old === null || now === null) {
    return old === now && isEqual(documents, before, after)
      ? []
      : [finding(location, 'changed in a way that cannot be compared', 'unclassified')];
  }
  const wasOpen = allowsAll(old);
  if (wasOpen !== allowsAll(now)) {
    return [
      wasOpen
        ? finding(location, 'has a schema now', 'narrowed')
        : finding(location, 'has no schema any more', 'widened'),
    ];
  }
  if (wasOpen) return compareDeprecation(old, now, location);
  return [
    ...compareDeprecation(old, now, location),
    ...compareTypes(old, now, location),
    ...compareConstraints(old.rest, now.rest, location),
    ...compareFields(inside, old, now, location),
    ...compareNested(inside, old, now, location),
    ...compareAlternatives(inside, old, now, location, (one, other) => compareSchemas(inside, one, other, location)),
  ];
}

function compareDeprecation(old: Shape, now: Shape, location: Location): readonly Finding[] {
  if (old.isDeprecated === now.isDeprecated) return [];
  return [
    now.isDeprecated
      ? finding(location, 'deprecated', 'deprecated')
      : finding(location, 'not deprecated any more', 'added'),
  ];
}

const ALL_TYPES = new Set(['null', 'boolean', 'object', 'array', 'string', 'number', 'integer']);

function compareTypes(old: Shape, now: Shape, location: Location): readonly Finding[] {
  const [before, after] = [old.types ?? ALL_TYPES, now.types ?? ALL_TYPES];
  const lost = without(before, after).length > 0;
  const gained = without(after, before).length > 0;
  const types =
    lost || gained
      ? [
          finding(
            location,
            `changed its type from ${named(old)} to ${named(now)}`,
            ...(lost ? (['narrowed'] as const) : []),
            ...(gained ? (['widened'] as const) : []),
          ),
        ]
      : [];
  return [...types, ...compareValues(old, now, location)];
}

function named({ types }: Shape): string {
  if (types === null) return 'any';
  return [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ') || 'none';
}

function compareValues({ values: old }: Shape, { values: now }: Shape, location: Location): readonly Finding[] {
  if (old === null && now === null) return [];
  // The lists of error codes, of scopes and of types of conditions grow.
  const isOpen = holdsOpenWord(location);
  if (old === null) return [finding(location, 'has a list of values now', isOpen ? 'words' : 'narrowed')];
  if (now === null) return [finding(location, 'has no list of values any more', isOpen ? 'words' : 'widened')];
  const [before, after] = [new Set(old.map(canonical)), new Set(now.map(canonical))];
  // A change of null among the values is a change of the types.
  const [gone, come] = [without(before, after), without(after, before)].map((values) =>
    values.filter((value) => value !== 'null'),
  );
  return [
    ...(gone ?? []).map((value) => finding(location, `lost the value \`${value}\``, isOpen ? 'words' : 'narrowed')),
    ...(come ?? []).map((value) => finding(location, `gained the value \`${value}\``, isOpen ? 'words' : 'widened')),
  ];
}

function compareFields(documents: Comparison, old: Shape, now: Shape, location: Location): readonly Finding[] {
  const [before, after] = [fieldsOf(documents.before, old, location), fieldsOf(documents.after, now, location)];
  const [wereRequired, areRequired] = [requiredOf(old, before), requiredOf(now, after)];
  return namesOf([...before, ...wereRequired], [...after, ...areRequired]).flatMap((name) => {
    const there = within(location, name);
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

// Read-only fields are not part of what callers send, and write-only fields not part of what they receive.
function fieldsOf(document: JsonObject, { properties }: Shape, { direction }: Location): ReadonlySet<string> {
  const other = direction === 'input' ? 'readOnly' : 'writeOnly';
  const names = Object.keys(properties).filter((name) => objectOf(resolve(document, properties[name]))[other] !== true);
  return new Set(names);
}

function requiredOf({ required, properties }: Shape, fields: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...required].filter((name) => fields.has(name) || !Object.hasOwn(properties, name)));
}

function compareNested(documents: Comparison, old: Shape, now: Shape, location: Location): readonly Finding[] {
  const { rest: before } = old;
  const { rest: after } = now;
  return [
    ...compareSchemas(documents, before['items'], after['items'], within(location, '[]')),
    ...compareFurther(documents, before['additionalProperties'], after['additionalProperties'], location),
    ...compareSchemas(documents, before['contentSchema'], after['contentSchema'], within(location, '(JSON)')),
  ];
}

function compareFurther(
  documents: Comparison,
  before: Json | undefined,
  after: Json | undefined,
  location: Location,
): readonly Finding[] {
  const [wasClosed, isClosed] = [before === false, after === false];
  if (wasClosed && isClosed) return [];
  // Callers must always accept new fields in an answer, even if the schema did not allow them.
  if (wasClosed && location.direction === 'output') return [];
  if (isClosed) return [finding(location, 'takes no further fields any more', 'narrowed')];
  if (wasClosed) return [finding(location, 'may have further fields now', 'widened')];
  if (!isObject(before) && !isObject(after)) return [];
  return compareSchemas(documents, before, after, within(location, '*'));
}

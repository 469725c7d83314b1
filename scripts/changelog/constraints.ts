import { canonical, namesOf, type Json, type JsonObject } from './json.ts';
import { finding, holdsErrorCode, type Finding, type Location } from './rules.ts';
import { patternChange } from './patterns.ts';
import { NESTED } from './shape.ts';

const LEAST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const MOST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords of which any value says more than none. */
const MARKS = new Set(['format', 'pattern', 'multipleOf', 'contentMediaType', 'contentEncoding']);

/** Says what has happened to the bounds, patterns and formats of a schema, and to keywords that it does not know. */
export function compareConstraints(before: JsonObject, after: JsonObject, location: Location): readonly Finding[] {
  return namesOf(Object.keys(before), Object.keys(after))
    .filter((name) => !NESTED.has(name) && canonical(before[name]) !== canonical(after[name]))
    .flatMap((name) => compareConstraint(name, before[name], after[name], location));
}

function compareConstraint(
  name: string,
  before: Json | undefined,
  after: Json | undefined,
  location: Location,
): readonly Finding[] {
  // What a failure is called is a list that grows, and a pattern may be how it is written down.
  if (name === 'pattern' && holdsErrorCode(location)) {
    return [finding(location, 'has other error codes', 'codes')];
  }
  // No length is below it.
  if (name.startsWith('min') && name !== 'minimum' && (before ?? 0) === 0 && (after ?? 0) === 0) return [];
  // What is not sent cannot be sent by default; what is given is given.
  if (name === 'default' && location.direction === 'output') return [];
  const isBound = LEAST.has(name) || MOST.has(name);
  if (isBound || MARKS.has(name)) {
    if (before === undefined)
      return [
        finding(
          location,
          `has ${worded(name).startsWith('e') ? 'an' : 'a'} ${worded(name)} now: ${brief(after)}`,
          'narrowed',
        ),
      ];
    if (after === undefined) return [finding(location, `has no ${worded(name)} any more`, 'widened')];
  }
  const what = `changed its ${worded(name)} from ${shown(before)} to ${shown(after)}`;
  if (isBound && typeof before === 'number' && typeof after === 'number') {
    const isTighter = LEAST.has(name) ? after > before : after < before;
    return [finding(location, what, isTighter ? 'narrowed' : 'widened')];
  }
  if (name === 'pattern' && typeof before === 'string' && typeof after === 'string') {
    const change = patternChange(before, after) ?? 'unclassified';
    return change === 'none' ? [] : [finding(location, what, change)];
  }
  if (name === 'uniqueItems') {
    return after === true
      ? [finding(location, 'takes no item twice any more', 'narrowed')]
      : uniquenessDropped(before, location);
  }
  return [finding(location, what, 'unclassified')];
}

function uniquenessDropped(before: Json | undefined, location: Location): readonly Finding[] {
  return before === true ? [finding(location, 'may have an item twice now', 'widened')] : [];
}

// `exclusiveMinimum` → "exclusive minimum"
function worded(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const BRIEF_LENGTH = 48;

function brief(value: Json | undefined): string {
  const text = canonical(value);
  return text.length > BRIEF_LENGTH ? `\`${text.slice(0, BRIEF_LENGTH)}…\`` : shown(value);
}

// In full: an override is for exactly this change.
function shown(value: Json | undefined): string {
  return value === undefined ? 'none' : `\`${canonical(value)}\``;
}

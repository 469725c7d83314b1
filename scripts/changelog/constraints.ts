import { canonical, namesOf, type Json, type JsonObject } from './json.ts';
import { finding, holdsOpenWord, type Finding, type Location } from './rules.ts';
import { patternChange } from './patterns.ts';
import { NESTED } from './shape.ts';

const LEAST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const MOST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords whose presence is always a narrower constraint than their absence. */
const MARKS = new Set(['format', 'pattern', 'multipleOf', 'contentMediaType', 'contentEncoding']);

/** Compares the bounds, patterns and formats of a schema, and the keywords that this tool does not know. */
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
  // The list of error codes grows, and a pattern may be the way it is written.
  if (name === 'pattern' && holdsOpenWord(location)) {
    return [finding(location, 'has other error codes', 'words')];
  }
  // No length is lower than 0.
  if (name.startsWith('min') && name !== 'minimum' && (before ?? 0) === 0 && (after ?? 0) === 0) return [];
  // A default makes a difference only in what callers send.
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

// In full, since an override is for exactly this change.
function shown(value: Json | undefined): string {
  return value === undefined ? 'none' : `\`${canonical(value)}\``;
}

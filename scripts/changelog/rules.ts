/** The rules: which changes break a program that was written for the earlier document. */

/** The direction of a part: sent by callers, or returned to them. */
type Direction = 'input' | 'output';

/** The kind of a change. */
type Effect =
  | 'added'
  /** Added, and callers must send it. */
  | 'demanded'
  | 'removed'
  /** Removed after a release in which it was deprecated. */
  | 'retired'
  | 'deprecated'
  /** Some values are no longer possible: another type, a required field, a lower maximum. */
  | 'narrowed'
  /** New values are possible. */
  | 'widened'
  /** Another set of words of an open list, such as error codes: callers must always expect unknown ones. */
  | 'words'
  /** None of these can be determined. It counts as breaking until an override says otherwise. */
  | 'unclassified';

const BREAKS: Readonly<Record<Effect, Readonly<Record<Direction, boolean>>>> = {
  added: { input: false, output: false },
  demanded: { input: true, output: false },
  removed: { input: true, output: true },
  retired: { input: false, output: false },
  deprecated: { input: false, output: false },
  narrowed: { input: true, output: false },
  widened: { input: false, output: true },
  words: { input: false, output: false },
  unclassified: { input: true, output: true },
};

/** True if a change breaks callers. A change with several effects breaks them if one effect does. */
export function breaks(direction: Direction, effects: readonly Effect[]): boolean {
  return effects.some((effect) => BREAKS[effect][direction]);
}

/** The effect of a removal, which depends on whether it was announced. */
export function removal(wasDeprecated: boolean): Effect {
  return wasDeprecated ? 'retired' : 'removed';
}

/** One change within an operation. */
export interface Finding {
  readonly what: string;
  readonly breaking: boolean;
  /** True if it counts as breaking only because the rules cannot classify it. */
  readonly unclassified: boolean;
}

/** The part of an operation that is being compared. */
export interface Location {
  readonly direction: Direction;
  /** Such as "request" or "answer 200". */
  readonly subject: string;
  /** The path to a field of it, such as `links[].id`; empty for the whole. */
  readonly field: string;
}

/** A finding at a location. */
export function finding({ direction, subject, field }: Location, what: string, ...effects: Effect[]): Finding {
  const location = field === '' ? subject : `${subject} field \`${field}\``;
  return {
    what: `${location} ${what}`,
    breaking: breaks(direction, effects),
    unclassified: effects.includes('unclassified'),
  };
}

/** The location of a field within a location. */
export function within(location: Location, name: string): Location {
  if (name === '[]') return { ...location, field: `${location.field}[]` };
  return { ...location, field: location.field === '' ? name : `${location.field}.${name}` };
}

/**
 * True if the field at a location of an answer holds a word of an open list: an error code, a scope, or the type of a
 * condition. */
export function holdsOpenWord({ direction, field }: Location): boolean {
  return direction === 'output' && /(^|\.)(error|code|scopes\[\]|conditions\[\]\.type)$/.test(field);
}

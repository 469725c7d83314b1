/** The written rules: what breaks a program that was written against the document before. */

/** Which way a part travels: what callers send, or what they are given. */
export type Direction = 'input' | 'output';

/** What has happened to a part. */
export type Effect =
  | 'added'
  /** Added, and callers have to send it. */
  | 'demanded'
  | 'removed'
  /** Removed after a release that said it was deprecated. */
  | 'retired'
  | 'deprecated'
  /** Of the values that were possible some are not any more: another type, a required field, a lower maximum. */
  | 'narrowed'
  /** Values are possible that were not. */
  | 'widened'
  /** Another set of error codes: callers have always had to expect one that they do not know. */
  | 'codes'
  /** Cannot be told to be any of these. It breaks until somebody has written down that it does not. */
  | 'unclassified';

const BREAKS: Readonly<Record<Effect, Readonly<Record<Direction, boolean>>>> = {
  added: { input: false, output: false },
  demanded: { input: true, output: false },
  removed: { input: true, output: true },
  retired: { input: false, output: false },
  deprecated: { input: false, output: false },
  narrowed: { input: true, output: false },
  widened: { input: false, output: true },
  codes: { input: false, output: false },
  unclassified: { input: true, output: true },
};

/** Whether a change breaks callers. One with several effects does if one of them does. */
export function breaks(direction: Direction, effects: readonly Effect[]): boolean {
  return effects.some((effect) => BREAKS[effect][direction]);
}

/** What stays a removal, and what is one that was announced. */
export function removal(wasDeprecated: boolean): Effect {
  return wasDeprecated ? 'retired' : 'removed';
}

/** One change within an operation. */
export interface Finding {
  readonly what: string;
  readonly breaking: boolean;
  /** Whether the rules know no better than that it breaks. */
  readonly unclassified: boolean;
}

/** Where in an operation a comparison has got to. */
export interface Location {
  readonly direction: Direction;
  /** Such as "request" or "answer 200". */
  readonly subject: string;
  /** The path to a field of it, such as `links[].id`; empty for the whole. */
  readonly field: string;
}

/** The finding that something has happened at a place. */
export function finding({ direction, subject, field }: Location, what: string, ...effects: Effect[]): Finding {
  const location = field === '' ? subject : `${subject} field \`${field}\``;
  return {
    what: `${location} ${what}`,
    breaking: breaks(direction, effects),
    unclassified: effects.includes('unclassified'),
  };
}

/** The place of a field of what stands at a place. */
export function within(location: Location, name: string): Location {
  if (name === '[]') return { ...location, field: `${location.field}[]` };
  return { ...location, field: location.field === '' ? name : `${location.field}.${name}` };
}

/** Whether the field at a place is where an answer tells an error code. */
export function holdsErrorCode({ direction, field }: Location): boolean {
  return direction === 'output' && /(^|\.)(error|code)$/.test(field);
}

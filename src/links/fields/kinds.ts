import { toInstant } from '../../time/instant.ts';
import { joinTags, namesOf, toTagList } from '../tags/names.ts';

/** The values that fields with a column of their own can have. Each kind has one form in the code, and one in SQL. */
export interface KindValues {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly instant: number;
  readonly integer: number;
  readonly flag: boolean;
  /** A list or an object, as JSON text. */
  readonly json: string;
  /** The names of tags in order, as JSON text. They have a table of their own. */
  readonly names: string;
}

export type Stored = keyof KindValues;

/** The conversions of a kind. One is absent if both of its forms are the same. */
export interface Kind<Value> {
  /** From the output of the field's schema. */
  readonly ofInput?: (parsed: unknown) => Value;
  readonly ofColumn?: (column: unknown) => Value;
  readonly toColumn?: (value: Value) => string | number;
  /** For files, forms and the history. */
  readonly toText?: (value: Value) => string;
  /** For answers in JSON. */
  readonly toJson?: (value: Value) => unknown;
  /** The absence of a value there, if that is not null. */
  readonly absentJson?: unknown;
  /** From such an answer, which this service has kept. */
  readonly ofJson?: (json: unknown) => Value | null;
}

const KINDS: { readonly [Name in Stored]: Kind<KindValues[Name]> } = {
  text: {},
  instant: { toText: toInstant, toJson: toInstant, ofJson: (json) => Date.parse(json as string) },
  integer: { toText: String },
  flag: { ofColumn: (column) => column === 1, toColumn: Number, toText: String },
  json: {
    ofInput: (parsed) => JSON.stringify(parsed),
    toJson: (text) => JSON.parse(text),
    ofJson: (json) => JSON.stringify(json),
  },
  names: {
    ofInput: (parsed) => JSON.stringify(parsed),
    toText: (list) => joinTags(namesOf(list)),
    toJson: namesOf,
    absentJson: [],
    ofJson: (json) => toTagList(json as readonly string[]),
  },
};

/** The kind by its name, without its exact type. */
export function kindOf(stored: Stored): Kind<unknown> {
  return KINDS[stored] as Kind<unknown>;
}

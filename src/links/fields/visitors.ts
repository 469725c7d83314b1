import type * as z from 'zod';
import type { ContentRow, LinkContent, StoredName } from './content.ts';
import { propertyOf, type Camel } from './property.ts';
import type { LinkFields } from './table.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';

/** The fields that the answer to a visitor needs, which memory and KV hold for each hot link. */

type NameNeeded<Need extends 'always' | 'if_set'> = {
  [Name in StoredName]: LinkFields[Name]['visitorsNeed'] extends Need ? Name : never;
}[StoredName];

type VisitorName = NameNeeded<'always' | 'if_set'>;

/** The fields that few links have, each only if it is set; lists and objects are parsed. */
export type VisitorExtras = {
  readonly [Name in NameNeeded<'if_set'> as Camel<Name>]?: VisitorsValue<Name>;
};

// A URL is parsed to an object, and held as a text; all else is held as it is parsed.
type VisitorsValue<Name extends StoredName> = Parsed<Name> extends URL ? string : Parsed<Name>;

type Parsed<Name extends StoredName> =
  ReturnType<LinkFields[Name]['schemas']> extends {
    readonly edit: infer Schema extends z.ZodType;
  }
    ? NonNullable<z.output<Schema>>
    : never;

/** The values of the fields that each link needs. Instants are milliseconds since the epoch. */
export type VisitorContent = Pick<LinkContent, Camel<NameNeeded<'always'>>>;

/** A row with their columns. */
export type VisitorRow = Pick<ContentRow, VisitorName>;

/** A field in a row, in memory and in KV. */
interface VisitorField {
  readonly name: string;
  readonly property: string;
  readonly isClearable: boolean;
  /** The value of its column, as memory and KV hold it. */
  readonly held: (column: unknown) => unknown;
  /** True if a value from KV can be one of its values. */
  readonly isOfVisitors: (value: unknown) => boolean;
}

const asItIs = (column: unknown) => column;

type VisitorStored = (typeof VISITOR_FIELDS)[keyof typeof VISITOR_FIELDS]['stored'];

const KINDS: Readonly<Record<VisitorStored, Pick<VisitorField, 'held' | 'isOfVisitors'>>> = {
  text: { held: asItIs, isOfVisitors: (value) => typeof value === 'string' },
  instant: { held: asItIs, isOfVisitors: Number.isSafeInteger },
  integer: { held: asItIs, isOfVisitors: Number.isSafeInteger },
  flag: { held: (column) => column === 1, isOfVisitors: (value) => typeof value === 'boolean' },
  json: { held: (column) => JSON.parse(column as string), isOfVisitors: (value) => typeof value === 'object' },
};

const fieldsNeeded = <Need extends 'always' | 'if_set'>(need: Need) =>
  Object.entries(VISITOR_FIELDS).flatMap(([name, { stored, visitorsNeed, ...field }]) =>
    visitorsNeed === need
      ? [{ ...KINDS[stored], ...field, name: name as NameNeeded<Need>, property: propertyOf(name) }]
      : [],
  ) satisfies readonly VisitorField[];

const ALWAYS = fieldsNeeded('always');
const IF_SET = fieldsNeeded('if_set');

/** Their columns, for a SELECT. */
export const visitorColumns = (table: string): string =>
  [...ALWAYS, ...IF_SET].map(({ name }) => `${table}.${name}`).join(', ');

export function toVisitorContent(row: Pick<VisitorRow, NameNeeded<'always'>>): VisitorContent {
  return Object.fromEntries(ALWAYS.map(({ name, property }) => [property, row[name]])) as never;
}

/** The other fields, as far as they are set. */
export function toVisitorExtras(row: Pick<VisitorRow, NameNeeded<'if_set'>>): VisitorExtras {
  const set = IF_SET.filter(({ name }) => row[name] !== null);
  return Object.fromEntries(set.map(({ name, property, held }) => [property, held(row[name])]));
}

/** True if an object from outside has the fields that each link needs, each with a value of its type. */
export function isVisitorContent(given: Readonly<Record<string, unknown>>): boolean {
  return ALWAYS.every(({ property, isOfVisitors, isClearable }) => {
    const value = given[property];
    return value === null ? isClearable : isOfVisitors(value);
  });
}

/** True if each of the other fields that an object from outside has is of its type. */
export function areVisitorExtras(given: Readonly<Record<string, unknown>>): boolean {
  return IF_SET.every(({ property, isOfVisitors }) => {
    const value = given[property];
    return value === undefined || isOfVisitors(value);
  });
}

/**
 * The memory that the values of the fields take that each link needs, in bytes. A target is ASCII, and takes one for
 * each character; others may take two.
 */
export function bytesOf(content: VisitorContent): number {
  let bytes = 0;
  for (const { property } of ALWAYS) {
    const value: unknown = content[property as keyof VisitorContent];
    if (typeof value === 'string') bytes += property === 'url' ? value.length : 2 * value.length;
  }
  return bytes;
}

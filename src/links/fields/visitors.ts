import type * as z from 'zod';
import {
  kindOfField,
  propertyOf,
  STORED_NAMES,
  type Camel,
  type ContentRow,
  type LinkContent,
  type StoredName,
} from './content.ts';
import { fieldOf, linkFields, type LinkFields } from './table.ts';

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

const namesNeeded = <Need extends 'always' | 'if_set'>(need: Need) =>
  STORED_NAMES.filter((name): name is NameNeeded<Need> => linkFields[name].visitorsNeed === need).map((name) => ({
    name,
    property: propertyOf(name),
    kind: kindOfField(name),
    isOfVisitors: fieldOf(name)?.isOfVisitors ?? kindOfField(name).isOfVisitors,
    isClearable: linkFields[name].isClearable,
  }));

const ALWAYS = namesNeeded('always');
const IF_SET = namesNeeded('if_set');

/** Their columns, for a SELECT. */
export const visitorColumns = (table: string): string =>
  [...ALWAYS, ...IF_SET].map(({ name }) => `${table}.${name}`).join(', ');

export function toVisitorContent(row: Pick<VisitorRow, NameNeeded<'always'>>): VisitorContent {
  return Object.fromEntries(ALWAYS.map(({ name, property }) => [property, row[name]])) as never;
}

/** The other fields, as far as they are set. */
export function toVisitorExtras(row: Pick<VisitorRow, NameNeeded<'if_set'>>): VisitorExtras {
  const set = IF_SET.filter(({ name }) => row[name] !== null);
  return Object.fromEntries(
    set.map(({ name, property, kind }) => [property, kind.toVisitors(kind.ofColumn(row[name]))]),
  );
}

/** Whether an object from outside has the fields that each link needs, each with a value of its type. */
export function isVisitorContent(given: Readonly<Record<string, unknown>>): boolean {
  return ALWAYS.every(({ property, isOfVisitors, isClearable }) => {
    const value = given[property];
    return value === null ? isClearable : isOfVisitors(value);
  });
}

/** Whether each of the other fields that an object from outside has is of its type. */
export function areVisitorExtras(given: Readonly<Record<string, unknown>>): boolean {
  return IF_SET.every(({ property, isOfVisitors }) => {
    const value = given[property];
    return value === undefined || isOfVisitors(value);
  });
}

/**
 * How much memory the values of the fields take that each link needs, in bytes. A target is ASCII, and takes one for
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

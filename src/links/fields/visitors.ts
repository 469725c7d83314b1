import { propertyOf, STORED_NAMES, type ContentRow, type LinkContent, type Camel, type StoredName } from './content.ts';
import { linkFields, type LinkFields } from './table.ts';

/** The fields that the answer to a visitor needs, which memory and KV hold for each hot link. */

type VisitorName = {
  [Name in StoredName]: LinkFields[Name]['isForVisitors'] extends true ? Name : never;
}[StoredName];

/** The values of these fields. Instants are milliseconds since the epoch. */
export type VisitorContent = Pick<LinkContent, Camel<VisitorName>>;

/** A row with their columns. */
export type VisitorRow = Pick<ContentRow, VisitorName>;

const FIELDS = STORED_NAMES.filter((name): name is VisitorName => linkFields[name].isForVisitors).map((name) => {
  const { stored, isClearable } = linkFields[name];
  return { name, property: propertyOf(name) as keyof VisitorContent, stored, isClearable };
});

export const VISITOR_COLUMNS = FIELDS.map(({ name }) => name).join(', ');

export function toVisitorContent(row: VisitorRow): VisitorContent {
  return Object.fromEntries(FIELDS.map(({ name, property }) => [property, row[name]])) as never;
}

/** Whether an object from outside has these fields, each with a value of its type. */
export function isVisitorContent(given: Readonly<Record<string, unknown>>): boolean {
  return FIELDS.every(({ property, stored, isClearable }) => {
    const value = given[property];
    if (value === null) return isClearable;
    return stored === 'instant' ? Number.isSafeInteger(value) : typeof value === 'string';
  });
}

/** How much memory the texts take, in bytes. A target is ASCII, and takes one for each character; others may take two. */
export function bytesOf(content: VisitorContent): number {
  let bytes = 0;
  for (const { property } of FIELDS) {
    const value: unknown = content[property];
    if (typeof value === 'string') bytes += property === 'url' ? value.length : 2 * value.length;
  }
  return bytes;
}

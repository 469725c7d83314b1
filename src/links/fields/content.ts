import { toInstant } from '../../time/instant.ts';
import { FIELD_NAMES, fieldOf, linkFields, type FieldName, type LinkFields } from './table.ts';

/** The fields that have a column of their own, between the database (`campaign_name`) and the code (`campaignName`). */

/** The names of these fields, which are those of their columns. */
export type StoredName = {
  [Name in FieldName]: LinkFields[Name] extends { readonly stored: string } ? Name : never;
}[FieldName];

type Value<Name extends StoredName> =
  | (LinkFields[Name]['stored'] extends 'instant' ? number : string)
  | (LinkFields[Name]['isClearable'] extends true ? null : never);

/** A public name as a property: `campaignName` for `campaign_name`. */
export type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** A row of `links`, as far as these fields go. Instants are milliseconds since the epoch. */
export type ContentRow = { readonly [Name in StoredName]: Value<Name> };

/** The same in the form of the code. */
export type LinkContent = { readonly [Name in StoredName as Camel<Name>]: Value<Name> };

/** The same for a link to be created: without a secondary id, the service generates one. */
export type NewContent = Omit<LinkContent, 'secId'> & { readonly secId: string | null };

/** The names of those that are instants. */
export type InstantName = {
  [Name in StoredName]: LinkFields[Name]['stored'] extends 'instant' ? Name : never;
}[StoredName];

export const STORED_NAMES = FIELD_NAMES.filter((name): name is StoredName => fieldOf(name)?.stored !== undefined);

export const INSTANT_NAMES = STORED_NAMES.filter((name): name is InstantName => linkFields[name].stored === 'instant');

/** The names of the fields that `q` searches, besides the target and the slug. */
export const SEARCHED_NAMES = STORED_NAMES.filter((name) => linkFields[name].isSearched);

/** The property of a field in the code. */
export function propertyOf(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const PROPERTIES = STORED_NAMES.map((name) => [name, propertyOf(name)] as const);

/** The columns of a `ContentRow`, for a SELECT. */
export const contentColumns = (table: string): string => STORED_NAMES.map((name) => `${table}.${name}`).join(', ');

export function toContent(row: ContentRow): LinkContent {
  return Object.fromEntries(PROPERTIES.map(([name, property]) => [property, row[name]])) as LinkContent;
}

/** The value of each field, by its public name. */
export function toContentRow(content: LinkContent): ContentRow {
  return Object.fromEntries(PROPERTIES.map(([name, property]) => [name, content[property as never]])) as never;
}

/** The part of an object that these fields are, without its other properties. */
export function pickContent<Content extends LinkContent | NewContent>(
  content: Content,
): Pick<Content, keyof NewContent> {
  return Object.fromEntries(PROPERTIES.map(([, property]) => [property, content[property as never]])) as never;
}

/** The values of parsed fields for these columns: a target is stored as text, and an absent field as null. */
export function contentOfInput(
  input: { readonly url: URL } & { readonly [Name in Exclude<StoredName, 'url'>]?: Value<Name> | null | undefined },
): NewContent {
  const stored = { ...input, url: input.url.href };
  return Object.fromEntries(PROPERTIES.map(([name, property]) => [property, stored[name] ?? null])) as NewContent;
}

/** The value of a field as a text: an instant in ISO 8601, UTC. */
export function textOf(name: StoredName, content: LinkContent): string | null {
  const value: unknown = content[propertyOf(name) as keyof LinkContent];
  return typeof value === 'number' ? toInstant(value) : (value as string | null);
}

const DETAILS = new Set(PROPERTIES.filter(([name]) => !linkFields[name].isForVisitors).map(([, property]) => property));

/** Splits an object in the fields that visitors do not need, which may be long, and its other properties. */
export function splitDetails(content: NewContent): { readonly details: object; readonly rest: object } {
  const { details, rest } = Object.groupBy(Object.entries(content), ([name]) =>
    DETAILS.has(name) ? 'details' : 'rest',
  );
  return { details: Object.fromEntries(details ?? []), rest: Object.fromEntries(rest ?? []) };
}

/**
 * The values of the columns, in SQL.
 *
 * @param rest the second part of `splitDetails`, as JSON
 * @param details a list of first parts, as JSON
 * @param index its index in that list
 */
export const contentOfItem = (rest: string, details: string, index: string): string =>
  PROPERTIES.map(([, property]) =>
    DETAILS.has(property) ? `${details} ->> ('$[' || ${index} || '].${property}')` : `${rest} ->> '${property}'`,
  ).join(', ');

/** The columns after the content of a deleted link was removed, for an UPDATE. */
export const REMOVED_CONTENT = STORED_NAMES.map(
  (name) => `${name} = ${linkFields[name].isClearable ? 'NULL' : `''`}`,
).join(', ');

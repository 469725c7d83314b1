import { kindOf, type Kind, type KindValues } from './kinds.ts';
import { foldedTagsOf, tagNamesOf, unorderedTagNamesOf } from '../tags/tag-sql.ts';
import { foldedList } from '../tags/names.ts';
import { propertyOf, type Camel } from './property.ts';
import { FIELD_NAMES, fieldOf, linkFields, type FieldName, type LinkFields } from './table.ts';

/**
 * The fields that have a column of their own, or tags, between the database (`campaign_name`) and the code (`campaignName`).
 */

/** The names of these fields, which are those of their columns. */
export type StoredName = {
  [Name in FieldName]: LinkFields[Name] extends { readonly stored: string } ? Name : never;
}[FieldName];

type Absence<Name extends StoredName> = LinkFields[Name]['isClearable'] extends true ? null : never;
type Value<Name extends StoredName> = KindValues[LinkFields[Name]['stored']] | Absence<Name>;
type Column<Name extends StoredName> =
  | (LinkFields[Name]['stored'] extends 'text' | 'json' | 'names' ? string : number)
  | Absence<Name>;

/** A row of `links`, as far as these fields go. */
export type ContentRow = { readonly [Name in StoredName]: Column<Name> };

/** `ContentRow` in the form of the code; lists and objects are JSON text. */
export type LinkContent = { readonly [Name in StoredName as Camel<Name>]: Value<Name> };

/** `LinkContent` of a link to be created: without a secondary id, the service generates one. */
export type NewContent = Omit<LinkContent, 'secId'> & { readonly secId: string | null };

/** The names of those that are instants. */
export type InstantName = {
  [Name in StoredName]: LinkFields[Name]['stored'] extends 'instant' ? Name : never;
}[StoredName];

export const STORED_NAMES = FIELD_NAMES.filter((name): name is StoredName => fieldOf(name)?.stored !== undefined);

const STORED: ReadonlySet<string> = new Set(STORED_NAMES);

export const isStored = (name: string): name is StoredName => STORED.has(name);

export const INSTANT_NAMES = STORED_NAMES.filter((name): name is InstantName => linkFields[name].stored === 'instant');

/** The names of the fields with a column in `links`. */
export const COLUMN_NAMES = STORED_NAMES.filter((name) => linkFields[name].stored !== 'names');

/** The names of the fields by which an import finds out if a link exists already. */
export const COMPARED_NAMES = STORED_NAMES.filter((name) => fieldOf(name)?.isNotCompared !== true);

/** The names of the fields that `q` searches, besides the target and the slug. */
export const SEARCHED_NAMES = STORED_NAMES.filter((name) => linkFields[name].isSearched);

const PROPERTIES = STORED_NAMES.map((name) => [name, propertyOf(name)] as const);
const PROPERTY_OF: Readonly<Record<string, string>> = Object.fromEntries(
  FIELD_NAMES.map((name) => [name, propertyOf(name)]),
);
const KIND_OF: Readonly<Record<string, Kind<unknown>>> = Object.fromEntries(
  STORED_NAMES.map((name) => [name, kindOf(linkFields[name].stored)]),
);

const convert = (value: unknown, by: ((present: unknown) => unknown) | undefined) =>
  value === null || by === undefined ? value : by(value);

/** The value of a field, for a SELECT. */
export const contentColumn = (table: string, name: StoredName): string =>
  linkFields[name].stored === 'names' ? tagNamesOf(table) : `${table}.${name}`;

/**
 * The columns of a `ContentRow`, for a SELECT.
 *
 * @param tags their order
 */
export const contentColumns = (table: string, tags: 'in order' | 'unordered'): string =>
  STORED_NAMES.map((name) => {
    const isUnordered = linkFields[name].stored === 'names' && tags === 'unordered';
    return `${isUnordered ? unorderedTagNamesOf(table) : contentColumn(table, name)} AS ${name}`;
  }).join(', ');

/** True if a value of a row `w` and that of links `l` are the same, in SQL. The tags of the row are without case. */
export const isSameIn = (name: StoredName): string =>
  linkFields[name].stored === 'names' ? `w.${name} IS ${foldedTagsOf('l')}` : `w.${name} IS l.${name}`;

/** A value that is equal for equal values of a field: tags are compared without case. */
export const comparable = (name: StoredName, content: NewContent): unknown => {
  const value = content[PROPERTY_OF[name] as keyof NewContent];
  return linkFields[name].stored === 'names' ? foldedList(value as string | null) : value;
};

export function toContent(row: ContentRow): LinkContent {
  const content: Record<string, unknown> = {};
  for (const [name, property] of PROPERTIES) content[property] = convert(row[name], KIND_OF[name]!.ofColumn);
  return content as unknown as LinkContent;
}

/** The row with the values of the fields. */
export function toContentRow(content: LinkContent): ContentRow {
  return Object.fromEntries(
    PROPERTIES.map(([name, property]) => [name, convert(content[property as never], KIND_OF[name]!.toColumn)]),
  ) as never;
}

/** The values of parsed fields; an absent field is null. */
export function contentOfInput(input: { readonly [Name in StoredName]?: unknown }): NewContent {
  return Object.fromEntries(
    PROPERTIES.map(([name, property]) => [property, valueOfInput(name, input[name] ?? null)]),
  ) as never;
}

/** The property and the value of a parsed field. One that has no column keeps its value. */
export function entryOfInput(name: FieldName, parsed: unknown): readonly [string, unknown] {
  return [PROPERTY_OF[name]!, isStored(name) ? valueOfInput(name, parsed) : parsed];
}

/** The value of a field as a text: an instant in ISO 8601, UTC; lists and objects as JSON. */
export function textOf(name: StoredName, content: LinkContent): string | null {
  return convert(content[PROPERTY_OF[name] as keyof LinkContent], KIND_OF[name]!.toText) as string | null;
}

/** The values of some fields as an answer in JSON has them, by their public names. */
export function jsonOf(names: ReadonlySet<string>, content: LinkContent): object {
  const values: Record<string, unknown> = {};
  for (const [name, property] of PROPERTIES) {
    if (!names.has(name)) continue;
    const { toJson, absentJson = null } = KIND_OF[name]!;
    const value = content[property as keyof LinkContent];
    values[name] = value === null ? absentJson : convert(value, toJson);
  }
  return values;
}

/** The value of a field from an answer in JSON that this service has kept; an earlier version may have kept none. */
export function valueOfJson(name: StoredName, json: unknown): unknown {
  return convert(json ?? null, KIND_OF[name]!.ofJson);
}

/** The value of a column, as the history has it, as a text; null if it is empty. */
export function textOfColumn(name: StoredName, column: unknown): string | null {
  const kind = KIND_OF[name]!;
  return convert(convert(column, kind.ofColumn), kind.toText) as string | null;
}

const EXTRAS = PROPERTIES.filter(([name]) => linkFields[name].visitorsNeed === 'if_set').map(
  ([, property]) => property,
);

/** True if a link has one of the fields that only some links have and a visit needs: only these depend on others. */
export const hasExtras = (content: NewContent): boolean =>
  EXTRAS.some((property) => content[property as keyof NewContent] !== null);

const DETAILS = new Set(
  PROPERTIES.filter(([name]) => linkFields[name].visitorsNeed !== 'always').map(([, property]) => property),
);

/**
 * Splits an object in the fields that few links have or that may be long, as far as they are set, and its other properties.
 */
export function splitDetails(content: NewContent): { readonly details: object; readonly rest: object } {
  const set = Object.entries(content).filter(([, value]) => value !== null);
  const { details, rest } = Object.groupBy(set, ([name]) => (DETAILS.has(name) ? 'details' : 'rest'));
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
  COLUMN_NAMES.map(propertyOf)
    .map((property) =>
      DETAILS.has(property) ? `${details} ->> ('$[' || ${index} || '].${property}')` : `${rest} ->> '${property}'`,
    )
    .join(', ');

/** The columns after the content of a deleted link was removed, for an UPDATE. */
export const REMOVED_CONTENT = COLUMN_NAMES.map(
  (name) => `${name} = ${linkFields[name].isClearable ? 'NULL' : `''`}`,
).join(', ');

function valueOfInput(name: StoredName, parsed: unknown): unknown {
  // A URL is stored as the URL standard serialises it.
  return parsed instanceof URL ? parsed.href : convert(parsed, KIND_OF[name]!.ofInput);
}

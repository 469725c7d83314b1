import { isObject } from './values.ts';

/** The names of columns, as formats have them. */

/** The longest name of a column that is kept. */
export const MAX_NAME = 200;

/** The name of a column, by which it is compared. */
export function columnOf(name: string): string {
  return name.slice(0, MAX_NAME).trim().toLowerCase().replaceAll(/\s+/g, '_');
}

/**
 * The fields of an item of JSON by the names of columns; those of an object in it have both names. The object has its own
 * name too, since it can say that the link is protected.
 */
export function columnsIn(item: object): Record<string, unknown> {
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => [
    [columnOf(name), value],
    ...(isObject(value)
      ? Object.entries(value).map(([inner, it]): [string, unknown] => [`${columnOf(name)}.${columnOf(inner)}`, it])
      : []),
  ]);
  return Object.fromEntries(entries);
}

/** The names of the columns of an item of JSON, without those of the objects in it. */
export const columnNamesIn = (item: object): readonly string[] =>
  Object.entries(columnsIn(item)).flatMap(([name, value]) => (isObject(value) && !name.includes('.') ? [] : [name]));

import { readPage, type Page } from '../input/pagination.ts';
import { parseFields, type Fields } from '../input/validation.ts';
import { listQuery } from './queries.ts';

/**
 * Parses the query of a list that takes no filters.
 *
 * @param list its name, so that a cursor is valid for this list only
 */
export function parseListQuery(list: string, fields: Fields): { client_id?: string | undefined; page: Page } {
  const { client_id, ...page } = parseFields(listQuery(), fields);
  return { client_id, page: readPage({ list, client_id }, page) };
}

import type { Context } from 'hono';
import { readQuery } from '../http/query.ts';
import { readPage, type Page } from '../input/pagination.ts';
import type { PlatformEnv } from './env.ts';

const ROWS = 50;

// A longer text is in no name.
const MAX_FILTER = 128;

/** The text that the names of a list contain, as its page asks for it; '' for all of them. */
export const filterOf = (c: Context<PlatformEnv>): string => (readQuery(c)['q'] ?? '').slice(0, MAX_FILTER).trim();

/**
 * The requested page of a list. Throws `invalid_cursor`, `repeated_field`.
 *
 * @param list its name, so that a cursor is valid for this list only
 */
export function pageOf(c: Context<PlatformEnv>, list: string, limit = ROWS): Page {
  const { cursor } = readQuery(c);
  return readPage({ list, client_id: c.var.client.id, q: filterOf(c) }, { limit, cursor });
}

/** The paths of a list's pages, as props of its `Pager`. */
export function pagesOf(c: Context<PlatformEnv>, cursor: string | null): { next: string | null; first: string | null } {
  const { pathname } = c.var.site.requestUrl;
  const { cursor: here, q } = readQuery(c);
  const filter = new URLSearchParams(q === undefined ? {} : { q });
  return {
    next: cursor === null ? null : `${pathname}?${new URLSearchParams([...filter, ['cursor', cursor]]).toString()}`,
    first: here === undefined ? null : filter.size === 0 ? pathname : `${pathname}?${filter.toString()}`,
  };
}

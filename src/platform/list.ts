import type { Context } from 'hono';
import { readQuery } from '../http/query.ts';
import { readPage, type Page } from '../input/pagination.ts';
import type { PlatformEnv } from './env.ts';

const ROWS = 50;

/**
 * The requested page of a list. Throws `invalid_cursor`, `repeated_field`.
 *
 * @param list its name, so that a cursor is valid for this list only
 */
export function pageOf(c: Context<PlatformEnv>, list: string, limit = ROWS): Page {
  const { cursor } = readQuery(c);
  return readPage({ list, client_id: c.var.client.id }, { limit, cursor });
}

/** The paths of a list's pages, as props of its `Pager`. */
export function pagesOf(c: Context<PlatformEnv>, cursor: string | null): { next: string | null; first: string | null } {
  const { pathname } = c.var.site.requestUrl;
  return {
    next: cursor === null ? null : `${pathname}?cursor=${encodeURIComponent(cursor)}`,
    first: readQuery(c)['cursor'] === undefined ? null : pathname,
  };
}

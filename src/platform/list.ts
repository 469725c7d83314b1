import type { Context } from 'hono';
import { readQuery } from '../http/query.ts';
import { readPage, type Page } from '../pagination.ts';
import type { PlatformEnv } from './env.ts';

const ROWS = 50;

/**
 * Which page of a list is asked for. Throws `invalid_cursor`, `repeated_field`.
 *
 * @param list its name, so that no cursor is good for another list
 */
export function pageOf(c: Context<PlatformEnv>, list: string, limit = ROWS): Page {
  const { cursor } = readQuery(c);
  return readPage({ list, client_id: c.var.client.id }, { limit, cursor });
}

/** Where the pages of a list lead: props of its `Pager`. */
export function pagesOf(c: Context<PlatformEnv>, cursor: string | null): { next: string | null; first: string | null } {
  const { pathname } = c.var.site.requestUrl;
  return {
    next: cursor === null ? null : `${pathname}?cursor=${encodeURIComponent(cursor)}`,
    first: readQuery(c)['cursor'] === undefined ? null : pathname,
  };
}

import type { Context } from 'hono';
import * as z from 'zod';
import { lazy } from '../../../isolate/lazy.ts';
import { listFields } from '../../../links/input.ts';
import { countLinks, type LinkCount } from '../../../links/list/count.ts';
import type { PlatformEnv } from '../../env.ts';
import { clientPath } from '../../nav.ts';
import { addressWith } from '../list/list-query.ts';

/** The links of a workspace that lead to a destination, and the list of them. */
export interface SameDestination extends LinkCount {
  readonly href: string;
}

const destination = lazy(() => z.object({ url: listFields().url }));

/**
 * Counts the links that lead to a destination, with one query; null if there are none, or if it is no destination.
 * Throws what `countLinks` throws.
 */
export async function findSame(c: Context<PlatformEnv>, typed: string): Promise<SameDestination | null> {
  const { data } = typed === '' ? {} : destination().safeParse({ url: typed });
  if (data?.url === undefined) return null;
  const count = await countLinks(c.var.db, c.var.actor, { url: data.url });
  if (count === null || count.links === 0) return null;
  return { ...count, href: addressWith(clientPath(c.var.client, 'links'), {}, { url: data.url }) };
}

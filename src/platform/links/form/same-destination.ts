import type { Context } from 'hono';
import * as z from 'zod';
import { AppError } from '../../../errors.ts';
import { parseFields } from '../../../input/validation.ts';
import { lazy } from '../../../isolate/lazy.ts';
import { listFields } from '../../../links/input.ts';
import { countLinks, type LinkCount } from '../../../links/list/count.ts';
import type { Site } from '../../../network/hosts.ts';
import type { PlatformEnv } from '../../env.ts';
import { clientPath } from '../../nav.ts';
import { addressWith } from '../list/list-query.ts';

/** The links of a workspace that lead to a destination, and the list of them. */
export interface SameDestination extends LinkCount {
  readonly href: string;
}

function urlIn(typed: string, site: Site): string | undefined {
  try {
    return parseFields(destination(), { url: typed }, site).url;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

const destination = lazy(() => z.object({ url: listFields().url }));

/**
 * Counts the links that lead to a destination, with one query; null if there are none, or if it is no destination.
 * Throws what `countLinks` throws.
 */
export async function findSame(c: Context<PlatformEnv>, typed: string): Promise<SameDestination | null> {
  const url = typed === '' ? undefined : urlIn(typed, c.var.site);
  if (url === undefined) return null;
  const count = await countLinks(c.var.db, c.var.actor, { url });
  if (count === null || count.links === 0) return null;
  return { ...count, href: addressWith(clientPath(c.var.client, 'links'), {}, { url }) };
}

import { grantParams, type Credential } from '../accounts/grants.ts';
import type { Database } from '../database/database.ts';
import { fieldError } from '../input/validation.ts';
import { ASKED, PERMITTED } from './permission.ts';

/** The most links that are requested at once, which the object of the client handles in well under a second. */
export const MAX_LINKS_NOW = 1000;

/** A group that has links now: a tag, by its name without case, or a domain, by its id. */
interface LinkGroup {
  readonly kind: 'tag' | 'domain';
  readonly name: string;
}

/** Some links, newest first. */
interface CurrentLinks {
  readonly names: readonly string[];
  /** True if there are older ones, which are left out. */
  readonly hasMore: boolean;
}

/**
 * Finds the links that have a tag now, or are on a domain, without deleted ones. Returns none without
 * permission; the query that follows throws the error. One round trip. Throws `store_unavailable`.
 */
export async function findCurrentLinks(
  db: Database,
  credential: Credential,
  { kind, name }: LinkGroup,
  clientId: string | undefined,
): Promise<CurrentLinks> {
  const [rows] = await db.batch<[{ readonly id: string }]>([
    {
      sql: `${ASKED} SELECT l.id FROM ${FROM[kind]} LIMIT ${MAX_LINKS_NOW + 1}`,
      params: [...grantParams(credential, Date.now()), clientId ?? null, kind, '[]', name],
    },
  ]);
  return { names: rows.slice(0, MAX_LINKS_NOW).map(({ id }) => id), hasMore: rows.length > MAX_LINKS_NOW };
}

const FROM: Readonly<Record<LinkGroup['kind'], string>> = {
  tag: `tags t CROSS JOIN link_tags lt INDEXED BY links_of_tag ON lt.tag_id = t.id
    CROSS JOIN links l ON l.id = lt.link_id
    WHERE t.client_id = ${PERMITTED} AND t.folded = ?9 AND l.deleted_at IS NULL
    ORDER BY lt.created_at DESC, lt.link_id DESC`,
  domain: `links l INDEXED BY links_of_domain
    WHERE l.domain_id = ?9 AND l.domain_id <> '' AND l.client_id = ${PERMITTED} AND l.deleted_at IS NULL
    ORDER BY l.created_at DESC, l.id DESC`,
};

/** Like `findCurrentLinks`, for a tag all of whose links are needed. Throws `too_many_links` too. */
export async function findTaggedLinks(
  db: Database,
  credential: Credential,
  folded: string,
  clientId: string | undefined,
): Promise<readonly string[]> {
  const { names, hasMore } = await findCurrentLinks(db, credential, { kind: 'tag', name: folded }, clientId);
  if (!hasMore) return names;
  throw fieldError(
    'too_many_links',
    'tag',
    `More than ${MAX_LINKS_NOW} links have this tag, which is too many to ask about. Ask for a campaign_name, or for some links with link.`,
  );
}

import { grantParams, type Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { fieldError } from '../validation.ts';
import { ASKED, PERMITTED } from './days.ts';

/** How many links of a tag are asked about at once, which the object of the client answers in well under a second. */
export const MOST_TAGGED_LINKS = 1000;

/**
 * Finds the links that have a tag now, without deleted ones. None are found for a caller who may not ask: that is for the
 * question itself to say. One round trip. Throws `too_many_links`, `store_unavailable`.
 *
 * @param folded the name of the tag without case
 */
export async function findTaggedLinks(
  db: Database,
  credential: Credential,
  folded: string,
  clientId: string | undefined,
): Promise<readonly string[]> {
  const [rows] = await db.batch<[{ readonly id: string }]>([
    {
      sql: `${ASKED}
        SELECT l.id FROM tags t CROSS JOIN link_tags lt INDEXED BY links_of_tag ON lt.tag_id = t.id
        CROSS JOIN links l ON l.id = lt.link_id
        WHERE t.client_id = ${PERMITTED} AND t.folded = ?9 AND l.deleted_at IS NULL
        ORDER BY lt.created_at DESC, lt.link_id DESC LIMIT ${MOST_TAGGED_LINKS + 1}`,
      params: [...grantParams(credential, Date.now()), clientId ?? null, 'tag', '[]', folded],
    },
  ]);
  if (rows.length <= MOST_TAGGED_LINKS) return rows.map(({ id }) => id);
  throw fieldError(
    'too_many_links',
    'tag',
    `More than ${MOST_TAGGED_LINKS} links have this tag, which is too many to ask about. Ask for a campaign_name, or for some links with link.`,
  );
}

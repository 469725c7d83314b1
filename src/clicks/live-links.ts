import { grantParams, type Credential } from '../accounts/grants.ts';
import type { Database } from '../database/database.ts';
import { ASKED, PERMITTED } from './permission.ts';

/** A link, as live views name it. */
interface NamedLink {
  readonly id: string;
  readonly slug: string;
  readonly customDomain: string | null;
}

/**
 * Finds the addresses of links of a client whose clicks the caller may read, without deleted ones. One round trip. Throws
 * `store_unavailable`.
 */
export async function findLiveLinks(
  db: Database,
  credential: Credential,
  clientId: string,
  ids: readonly string[],
): Promise<readonly NamedLink[]> {
  const [rows] = await db.batch<[LinkRow]>([
    {
      sql: `${ASKED} SELECT l.id, l.slug, d.host FROM json_each(?9) AS wanted
        CROSS JOIN links l ON l.id = wanted.value LEFT JOIN domains d ON d.id = l.domain_id
        WHERE l.client_id = ${PERMITTED} AND l.deleted_at IS NULL`,
      params: [...grantParams(credential, Date.now()), clientId, 'client', '[]', JSON.stringify(ids)],
    },
  ]);
  return rows.map(({ id, slug, host }) => ({ id, slug, customDomain: host }));
}

interface LinkRow {
  readonly id: string;
  readonly slug: string;
  readonly host: string | null;
}

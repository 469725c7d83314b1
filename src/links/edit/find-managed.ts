import { ACTING, accessStatement, type AccessRow } from '../../accounts/access.ts';
import type { Database, Param, Statement } from '../../database/database.ts';
import { MANAGED_COLUMNS, type ManagedRow } from '../managed-link.ts';

/**
 * Selects one link of the actor's clients, unless its content was removed.
 *
 * @param acting the parameters of `ACTING`
 */
export function selectManaged(acting: readonly Param[], id: string): Statement {
  return {
    sql: `${ACTING}
      SELECT ${MANAGED_COLUMNS} FROM links l LEFT JOIN domains d ON d.id = l.domain_id
      WHERE l.id = ?8 AND l.client_id IN (SELECT client_id FROM acting) AND l.url <> ''`,
    params: [...acting, id],
  };
}

export interface Found {
  readonly access: readonly AccessRow[];
  readonly row: ManagedRow | null;
  /** The target after the requested change, or null. */
  readonly formerUrl: string | null;
  /** The spellings of the requested tags that exist already, by their folded names. */
  readonly spellings: ReadonlyMap<string, string>;
}

/**
 * Finds a link that is to be edited.
 *
 * @param acting the parameters of `ACTING`
 * @param n the change in its history whose target is requested too; 0 for none
 * @param tags the folded names of the requested tags
 */
export async function findManaged(
  db: Database,
  acting: readonly Param[],
  id: string,
  { n, tags }: { readonly n: number; readonly tags: readonly string[] },
): Promise<Found> {
  const former: Statement = {
    sql: `${ACTING}
      SELECT coalesce(
        (SELECT url FROM link_history WHERE link_id = l.id AND n = ?9), CASE WHEN ?9 = 1 THEN l.url END) AS url
      FROM links l WHERE l.id = ?8 AND l.client_id IN (SELECT client_id FROM acting)`,
    params: [...acting, id, n],
  };
  const spelled: Statement = {
    sql: `${ACTING}
      SELECT t.folded, t.name, NULL AS url FROM links l
      CROSS JOIN json_each(?9) AS requested CROSS JOIN tags t ON t.client_id = l.client_id AND t.folded = requested.value
      WHERE l.id = ?8 AND l.client_id IN (SELECT client_id FROM acting)`,
    params: [...acting, id, JSON.stringify(tags)],
  };
  const [access, [row], ...others] = await db.batch<[AccessRow, ManagedRow, ...MoreRow[]]>([
    accessStatement(acting),
    selectManaged(acting, id),
    ...(n > 0 ? [former] : tags.length > 0 ? [spelled] : []),
  ]);
  const more = others.flat();
  return {
    access,
    row: row ?? null,
    formerUrl: more[0]?.url ?? null,
    spellings: new Map(more.map(({ folded, name }) => [folded, name])),
  };
}

/** A former target, or a tag: an edit needs one of them. */
interface MoreRow {
  readonly url: string | null;
  readonly folded: string;
  readonly name: string;
}

import {
  ACTING,
  actingParams,
  judge,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../accounts/access.ts';
import { decodeCursor, encodeCursor, type Position } from '../cursor.ts';
import type { Database } from '../database.ts';
import { cutExamined, MAX_EXAMINED, type ExaminedRow } from './examined.ts';
import { foldSlug } from './slug.ts';
import { MANAGED_COLUMNS, stateSql, toManaged, type LinkState, type ManagedLink, type ManagedRow } from './managed.ts';

/** Which links are asked for; what is absent filters nothing, except that deleted links show only where asked for. */
export interface LinkFilters {
  readonly campaign_name?: string | undefined;
  readonly sec_id?: string | undefined;
  readonly custom_domain?: string | undefined;
  readonly state?: LinkState | undefined;
  /** A part of the target or the slug, whatever its case. */
  readonly q?: string | undefined;
}

export interface LinkPage {
  readonly links: readonly ManagedLink[];
  /** Where the list goes on, or null at its end. A page may be short, or empty, before that. */
  readonly cursor: string | null;
  /** When the last link was made that the page looked at, in milliseconds since the epoch; null at the list's end. */
  readonly lookedBackTo: number | null;
}

const BEGINNING: Position = [Number.MAX_SAFE_INTEGER, ''];

export interface LinkPageOptions {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly mostExamined?: number;
}

/**
 * Lists the links of the actor's client, newest first, in one round trip. Throws `invalid_cursor`, `store_unavailable`,
 * and what `judge` throws.
 */
export async function listLinks(
  db: Database,
  actor: Actor,
  filters: LinkFilters,
  { limit, cursor, mostExamined = MAX_EXAMINED }: LinkPageOptions,
): Promise<LinkPage> {
  const bound = { ...filters, client_id: actor.clientId ?? undefined };
  const [beforeAt, beforeId] = cursor === undefined ? BEGINNING : decodeCursor(bound, cursor);
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, ExaminedRow]>([
    selectAccess(actor, 'links:read', now),
    {
      sql: `${ACTING},
        page AS MATERIALIZED (
          SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS examined FROM (
            SELECT * FROM links
            WHERE client_id = ${SOLE_CLIENT} AND url <> '' AND (created_at, id) < (?8, ?9)
            ORDER BY created_at DESC, id DESC LIMIT ?17)),
        judged AS (
          SELECT l.*, (
            (?10 IS NULL OR campaign_name = ?10) AND (?11 IS NULL OR sec_id = ?11)
            AND (?12 IS NULL OR EXISTS (SELECT 1 FROM domains WHERE id = l.domain_id AND host = ?12))
            AND CASE WHEN ?13 IS NULL THEN deleted_at IS NULL ELSE ${stateSql('?5')} = ?13 END
            AND (?14 IS NULL OR instr(lower(url), lower(?14)) > 0 OR instr(lower(slug), lower(?15)) > 0
              OR (?16 AND EXISTS (
                SELECT 1 FROM addresses a WHERE a.link_id = l.id AND a.slug = l.slug AND instr(a.folded, ?15) > 0)))
          ) IS TRUE AS fits FROM page l)
        SELECT l.examined, l.fits, ${MANAGED_COLUMNS} FROM judged l LEFT JOIN domains d ON d.id = l.domain_id
        WHERE fits OR examined = ?17 ORDER BY examined LIMIT ?18`,
      params: [
        ...actingParams(actor, 'links:read', now),
        beforeAt,
        beforeId,
        filters.campaign_name ?? null,
        filters.sec_id ?? null,
        filters.custom_domain ?? null,
        filters.state ?? null,
        ...searched(filters.q),
        mostExamined,
        limit + 1,
      ],
    },
  ]);
  judge(access, actor);
  const { found, last } = cutExamined(rows, limit, mostExamined);
  return {
    links: found.map((row) => toManaged(row, now)),
    cursor: last ? encodeCursor(bound, positionOf(last)) : null,
    lookedBackTo: last?.created_at ?? null,
  };
}

// What is not ASCII stands percent-encoded in a target, and of a slug only its address knows the cases.
function searched(q: string | undefined): [inUrl: string | null, inSlug: string | null, isUnicode: number] {
  if (q === undefined) return [null, null, 0];
  const inUrl = q.replaceAll(/\P{ASCII}+/gu, encodeURIComponent);
  return [inUrl, foldSlug(q), Number(inUrl !== q)];
}

function positionOf({ created_at: at, id }: ManagedRow): Position {
  return [at, id];
}

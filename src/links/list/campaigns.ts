import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../../accounts/access.ts';
import { listPage } from '../../accounts/list-page.ts';
import type { ClickSources } from '../../clicks/days.ts';
import { readTotalsIfPossible, type LinkTotals } from '../../clicks/totals.ts';
import type { Database, Statement } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { foldCase } from '../../text/look-alikes.ts';
import { MAX_CAMPAIGN_CHARACTERS } from '../fields/campaign-name.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { MAX_LINKS_COUNTED } from './most-counted.ts';

/** The campaigns of a client: those that its links have. */

export interface Campaign extends LinkTotals {
  readonly name: string;
  /** The number of links that have it, deleted ones excluded; at most `MAX_LINKS_COUNTED`. */
  readonly links: number;
  /** When the newest of these was created, in milliseconds since the epoch. */
  readonly newestAt: number;
}

interface CampaignRow {
  readonly client_id: string;
  readonly name: string;
  readonly links: number;
  readonly newest_at: number;
}

/**
 * Lists campaigns by name, with their clicks, unless the click statistics do not respond. Throws `store_unavailable`, and
 * what `authorize` throws.
 */
export async function listCampaigns(
  sources: ClickSources,
  actor: Actor,
  page: Page,
): Promise<{ campaigns: readonly Campaign[]; cursor: string | null }> {
  const { items, cursor } = await listPage(sources.db, actor, page, {
    permission: 'links:read',
    select: (now) => selectCampaigns(actor, now, page.after[1], rowsOfPage(page.limit)),
    positionOf: ({ name }: CampaignRow) => [0, name],
    toItem: (row) => row,
  });
  const [first] = items;
  if (first === undefined) return { campaigns: [], cursor };
  const names = items.map(({ name }) => name);
  const totalsOf = await readTotalsIfPossible(sources.statistics, first.client_id, names, 'campaign');
  return {
    campaigns: items.map(({ name, links, newest_at: newestAt }) => ({ name, links, newestAt, ...totalsOf(name) })),
    cursor,
  };
}

/**
 * Gets a campaign with its clicks, unless the click statistics do not respond. Its links are 0 if only clicks have the name.
 * Throws `not_found`, `store_unavailable`, and what `authorize` throws.
 */
export async function getCampaign(sources: ClickSources, actor: Actor, name: string): Promise<FoundCampaign> {
  // No name is longer.
  if (name.length > 2 * MAX_CAMPAIGN_CHARACTERS) throw noSuchCampaign();
  const now = Date.now();
  const [access, [row]] = await sources.db.batch<[AccessRow, FoundRow]>([
    selectAccess(actor, 'links:read', now),
    {
      sql: `${ACTING}, names (name) AS (SELECT ?8) SELECT ${COLUMNS} FROM names`,
      params: [...actingParams(actor, 'links:read', now), name],
    },
  ]);
  authorize(access, actor);
  const { client_id: clientId = '', links = 0, newest_at: newestAt = null } = row ?? {};
  const totalsOf = await readTotalsIfPossible(sources.statistics, clientId, [name], 'campaign');
  const totals = totalsOf(name);
  if (links === 0 && (totals.clicks ?? 0) === 0) throw noSuchCampaign();
  return { name, links, newestAt, ...totals };
}

type FoundCampaign = Omit<Campaign, 'newestAt'> & { readonly newestAt: number | null };
type FoundRow = Omit<CampaignRow, 'newest_at'> & { readonly newest_at: number | null };

export function noSuchCampaign(): AppError {
  return new AppError('not_found', 'There is no campaign with this name that you can access.');
}

/** The number of names that are read; more are more than a person looks through. */
const MAX_NAMES = 300;

/**
 * The names of the campaigns that links of the actor's client have, in alphabetical order, at most 300. Throws
 * `store_unavailable`, and what `authorize` throws.
 */
export async function listCampaignNames(db: Database, actor: Actor): Promise<readonly string[]> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, NameRow]>([
    selectAccess(actor, 'links:read', now),
    selectCampaignNames(actor, now),
  ]);
  authorize(access, actor);
  return rows.map(({ name }) => name);
}

export interface NameRow {
  readonly name: string;
}

export function selectCampaignNames(actor: Actor, now: number): Statement {
  return {
    sql: `${NAMES} SELECT name FROM names WHERE name IS NOT NULL`,
    params: paramsOf(actor, now, '', MAX_NAMES),
  };
}

/** The names that are the same as one that was typed, regardless of case; that one if there are none. */
export function spellingsOf(typed: string, names: readonly string[]): readonly string[] {
  if (typed.length > 2 * MAX_CAMPAIGN_CHARACTERS) return [typed];
  const folded = foldCase(typed);
  const same = names.filter((name) => foldCase(name) === folded);
  return same.length > 0 ? same : [typed];
}

function selectCampaigns(actor: Actor, now: number, after: string, limit: number): Statement {
  return {
    sql: `${NAMES} SELECT ${COLUMNS} FROM names WHERE name IS NOT NULL`,
    params: paramsOf(actor, now, after, limit),
  };
}

const OF_CLIENT = `FROM links l INDEXED BY links_of_campaign
  WHERE l.client_id = ${SOLE_CLIENT} AND l.deleted_at IS NULL`;

/** Of the campaigns `names`. */
const COLUMNS = `${SOLE_CLIENT} AS client_id, name,
  (SELECT count(*) FROM (SELECT 1 ${OF_CLIENT} AND l.campaign_name = name LIMIT ${MAX_LINKS_COUNTED})) AS links,
  (SELECT l.created_at ${OF_CLIENT} AND l.campaign_name = name ORDER BY l.created_at DESC LIMIT 1) AS newest_at`;

const nextName = (after: string) =>
  `(SELECT l.campaign_name ${OF_CLIENT} AND l.campaign_name > ${after} ORDER BY l.campaign_name LIMIT 1)`;

/** Each step looks the next name up in the index, so that many links of one campaign cost as little as one. */
const NAMES = `${ACTING}, names (name, n) AS (
  SELECT ${nextName('?8')}, 1
  UNION ALL SELECT ${nextName('names.name')}, n + 1 FROM names WHERE name IS NOT NULL AND n < ?9)`;

const paramsOf = (actor: Actor, now: number, after: string, limit: number) => [
  ...actingParams(actor, 'links:read', now),
  after,
  limit,
];

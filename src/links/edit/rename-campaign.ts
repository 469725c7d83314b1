import * as z from 'zod';
import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../../accounts/access.ts';
import { insertAudit } from '../../accounts/audit/write-audit.ts';
import type { Statement } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import type { Statistics } from '../../statistics/statistics.ts';
import { MAX_CAMPAIGN_CHARACTERS } from '../fields/campaign-name.ts';
import { lineUpTo } from '../fields/line.ts';
import { noSuchCampaign } from '../list/campaigns.ts';
import { renameFilters, selectFilters, type FilterRow } from './rename-filters.ts';
import { IS_RENAMED, renameShare, type Renamed } from '../shares/share-store.ts';
import { editAll, MAX_ADDRESSES } from './edit-many.ts';
import type { LinkTools } from '../tools.ts';
import { undoMergeOf } from './undo-many.ts';

/** Another name for a campaign: for all links that have it, and for their clicks so far. */

/** The most links of a campaign that can be renamed at once: as many as have so many addresses. */
export const MAX_RENAMED = MAX_ADDRESSES;

/** The body of `PATCH /v1/campaigns/{name}`. */
export const campaignChangeFields = lazy(() =>
  z.strictObject({
    name: lineUpTo(MAX_CAMPAIGN_CHARACTERS)
      .refine((name) => name.trim() !== '', { error: 'must not be empty' })
      .meta({ description: 'The new name, without control characters', example: 'Spring 2027' }),
  }),
);

interface RenameTools extends LinkTools {
  readonly statistics: Statistics;
}

interface RenamedCampaign {
  /** The links that have another name now. */
  readonly links: number;
  /** True if links had the new name before: then the former clicks stay under the former one. */
  readonly isMerged: boolean;
  /** By which `undoMerge` finds the links. */
  readonly editId: string;
}

/**
 * Renames a campaign. Its past clicks move to the new name, unless links or clicks have the new name already. If a
 * store fails on the way, the same call again does the rest. Throws `not_found`, `invalid_name`, `too_many_links`,
 * `store_unavailable`, and what `authorize` throws.
 */
export async function renameCampaign(
  tools: RenameTools,
  actor: Actor,
  former: string,
  name: string,
): Promise<RenamedCampaign> {
  if (former === name) throw new AppError('invalid_name', 'The campaign has this name already. Choose another one.');
  const { clientId, ids, addresses, isTaken, filters } = await findRenamed(tools, actor, former, name);
  if (ids.length === 0) throw noSuchCampaign();
  // Before the clicks are renamed, since `editAll` refuses as many.
  if (Math.max(ids.length, addresses) > MAX_RENAMED) throw tooMany(former);
  const isRenamed =
    !isTaken && (await tools.statistics.call(clientId, (object) => object.renameCampaign(former, name)));
  const editId = crypto.randomUUID();
  const links = await editAll(tools, actor, ids, 'campaign', {
    value: name,
    editId,
    campaign: former,
    also: (now) => {
      const renamed = { former, name, ids, editId };
      const goAlong = () => [...renameShare(actor, now, renamed), ...renameFilters(actor, now, renamed, filters)];
      return [recordRename(actor, now, renamed), ...(isRenamed ? goAlong() : [])];
    },
  });
  // Another rename of the same campaign came first.
  if (links.length === 0) throw noSuchCampaign();
  return { links: links.length, isMerged: !isRenamed, editId };
}

/**
 * Gives the links of a merge their former campaign again, unless their campaign was changed since. Returns how many. Throws
 * `too_many_links`, `store_unavailable`, and what `authorize` throws.
 */
export async function undoMerge(tools: LinkTools, actor: Actor, name: string, editId: string): Promise<number> {
  const now = Date.now();
  const [access, rows] = await tools.db.batch<[AccessRow, { readonly id: string }]>([
    selectAccess(actor, 'links:write', now),
    {
      sql: `${ACTING}
        SELECT l.id FROM ${OF_CAMPAIGN}
          AND EXISTS (SELECT 1 FROM link_history WHERE link_id = l.id AND edit_id = ?9) LIMIT ${MAX_RENAMED}`,
      params: [...actingParams(actor, 'links:write', now), name, editId],
    },
  ]);
  authorize(access, actor);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  return undoMergeOf(tools, actor, ids, editId);
}

const OF_CAMPAIGN = `links l INDEXED BY links_of_campaign
  WHERE l.client_id = ${SOLE_CLIENT} AND l.campaign_name = ?8 AND l.deleted_at IS NULL`;

interface StateRow {
  readonly client_id: string;
  readonly is_taken: number;
  readonly addresses: number;
}

async function findRenamed({ db }: RenameTools, actor: Actor, former: string, name: string) {
  const now = Date.now();
  const params = [...actingParams(actor, 'links:write', now), former];
  const [access, rows, [state], filters] = await db.batch<[AccessRow, { readonly id: string }, StateRow, FilterRow]>([
    selectAccess(actor, 'links:write', now),
    { sql: `${ACTING} SELECT l.id FROM ${OF_CAMPAIGN} LIMIT ${MAX_RENAMED + 1}`, params },
    {
      sql: `${ACTING}
        SELECT ${SOLE_CLIENT} AS client_id, EXISTS (SELECT 1 FROM ${OF_CAMPAIGN.replace('?8', '?9')}) AS is_taken,
          (SELECT count(*) FROM (
            SELECT 1 FROM addresses WHERE link_id IN (SELECT l.id FROM ${OF_CAMPAIGN}) LIMIT ${MAX_RENAMED + 1})) AS addresses`,
      params: [...params, name],
    },
    selectFilters(actor, now),
  ]);
  authorize(access, actor);
  return {
    clientId: state?.client_id ?? '',
    ids: rows.map(({ id }) => id),
    addresses: state?.addresses ?? 0,
    isTaken: state?.is_taken === 1,
    filters,
  };
}

const recordRename = (actor: Actor, now: number, { former, name, ids, editId }: Renamed): Statement =>
  insertAudit(actor, 'links:write', now, {
    action: 'campaign.renamed',
    subjects: `SELECT ${SOLE_CLIENT}, ?9, ?9, json_object('former_name', ?8) 
      WHERE ${SOLE_CLIENT} IS NOT NULL AND ${IS_RENAMED}`,
    params: [former, name, JSON.stringify(ids), editId],
  });

function tooMany(name: string): AppError {
  return new AppError(
    'too_many_links',
    `The links of the campaign ${name} have more than ${MAX_RENAMED} addresses, aliases included, which is too many to rename at once. Change the campaign of its links.`,
  );
}

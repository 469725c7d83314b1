import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../../accounts/access.ts';
import type { Param, Statement } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { insertLinkEvents } from '../events/link-event.ts';
import { BEGIN_HISTORY, trimHistory } from './edit-sql.ts';
import type { LinkTools } from '../tools.ts';
import { EDITED_COLUMNS, type EditedRow } from '../managed-link.ts';
import { MANY_RULES, type ManyAction } from './many-rules.ts';
import { publishLinks } from './publish.ts';

/** The most links on a page of a list. */
export const MAX_MANY = 100;

// Each address is written to KV, and a request may make 1,000 calls to the platform. An address that is not written
// would keep its old answer in KV.
export const MAX_ADDRESSES = 900;

/** The options of an edit of many links besides its action. */
interface ManyOptions {
  /** The value that a change of a field gives; for an undo its `{edit, tag}` as JSON. */
  readonly value?: Param;
  /** The id of this edit. */
  readonly editId?: string;
  /** The campaign that the links must still have. */
  readonly campaign?: string;
  /** Further statements of the transaction, at the present time; each authorises its work itself. */
  readonly also?: (now: number) => readonly Statement[];
}

/**
 * Applies an action to many links of the actor's client in one transaction, and returns the ids of the changed links. A
 * link that is in that state already, belongs to another client, or may not get the state, is skipped. Each link gets
 * an entry in its history, as with a single edit. One round trip. Throws `invalid_links`, `store_unavailable`, and what
 * `authorize` throws.
 *
 * @param ids 1 to `MAX_MANY`
 */
export async function editMany(
  tools: LinkTools,
  actor: Actor,
  ids: readonly string[],
  action: ManyAction,
  options: ManyOptions = {},
): Promise<readonly string[]> {
  if (ids.length === 0) throw new AppError('invalid_links', 'Choose at least one link.');
  if (ids.length > MAX_MANY) throw new AppError('invalid_links', `Choose at most ${MAX_MANY} links.`);
  return editAll(tools, actor, ids, action, options);
}

/** Like `editMany`, for any number of links with at most `MAX_ADDRESSES` addresses. */
export async function editAll(
  tools: LinkTools,
  actor: Actor,
  ids: readonly string[],
  action: ManyAction,
  { value = null, editId = crypto.randomUUID(), campaign, also = () => [] }: ManyOptions = {},
): Promise<readonly string[]> {
  const now = Date.now();
  const { when, set, action: recordedAction, changes, also: alsoOf } = MANY_RULES[action];
  const keyId = actor.credential.kind === 'api_key' ? actor.credential.keyId : null;
  const params = [...actingParams(actor, 'links:write', now), JSON.stringify(ids), editId, value, keyId];
  if (campaign !== undefined) params.push(campaign);
  const isSelected = `l.id IN (SELECT value FROM json_each(?8)) AND l.client_id = ${SOLE_CLIENT} AND l.url <> ''`;
  const countAddresses = `SELECT count(*) FROM addresses WHERE link_id IN (SELECT l.id FROM links l WHERE ${isSelected})`;
  const isOpen = `${isSelected} AND ${when}${campaign === undefined ? '' : ' AND l.campaign_name = ?12'} AND (${countAddresses}) <= ${MAX_ADDRESSES}
    AND NOT EXISTS (SELECT 1 FROM domains WHERE id = l.domain_id AND removed_at IS NOT NULL)`;
  const isChanged = `${isSelected} AND ?9 = (
    SELECT edit_id FROM link_history WHERE link_id = l.id ORDER BY n DESC LIMIT 1)`;
  const [access, , , changed, , rows, [selected]] = await tools.db.batch<
    [AccessRow, never, never, { readonly id: string }, never, EditedRow, { readonly addresses: number }]
  >([
    selectAccess(actor, 'links:write', now),
    statement(`${ACTING} ${BEGIN_HISTORY} WHERE ${isOpen} ON CONFLICT DO NOTHING`, params),
    statement(
      `${ACTING}
        INSERT INTO link_history (link_id, n, at, user_id, key_id, action, url, changes, edit_id)
        SELECT l.id, (SELECT max(n) + 1 FROM link_history WHERE link_id = l.id), ?5, (SELECT max(user_id) FROM acting), ?11,
          '${recordedAction}', l.url, ${changes}, ?9
        FROM links l WHERE ${isOpen}`,
      params,
    ),
    statement(
      `${ACTING}
        UPDATE links AS l SET ${set}, updated_at = ?5, revision = max(revision + 1, ?5) WHERE ${isOpen} RETURNING id`,
      params,
    ),
    // After it, since the oldest entry may be that of the edit that is undone.
    statement(`${ACTING} ${trimHistory(`SELECT l.id FROM links l WHERE ${isChanged}`)}`, params),
    statement(
      `${ACTING}
        SELECT ${EDITED_COLUMNS} FROM links l LEFT JOIN domains d ON d.id = l.domain_id WHERE ${isSelected}`,
      params,
    ),
    statement(`${ACTING} SELECT (${countAddresses}) AS addresses`, params),
    ...(alsoOf ? [statement(`${ACTING} ${alsoOf(isChanged)}`, params)] : []),
    recordMany(action, isChanged, params),
    ...also(now),
  ]);
  authorize(access, actor);
  if (selected && selected.addresses > MAX_ADDRESSES) {
    throw new AppError(
      'invalid_links',
      `The links have ${selected.addresses} addresses in all, but only ${MAX_ADDRESSES} can be changed at once. Choose fewer links.`,
    );
  }
  const changedIds = new Set(changed.map(({ id }) => id));
  await publishLinks(
    tools,
    rows.filter(({ id }) => changedIds.has(id)),
    now,
  );
  return ids.filter((id) => changedIds.has(id));
}

/** Records an event about each link. */
function recordMany(action: ManyAction, isChanged: string, params: readonly Param[]): Statement {
  const from = `FROM links l WHERE ${isChanged}`;
  const changes = '(SELECT changes FROM link_history WHERE link_id = l.id ORDER BY n DESC LIMIT 1)';
  const insert =
    action === 'delete'
      ? insertLinkEvents('link.deleted', from, '?5')
      : insertLinkEvents('link.updated', from, '?5', { changes });
  return { ...statement(`${ACTING} ${insert}`, params), returnsEvents: true };
}

/** A statement with as many of the parameters as it takes: D1 refuses more. */
export function statement(sql: string, params: readonly Param[]): Statement {
  const highest = Math.max(...Array.from(sql.matchAll(/\?(\d+)/g), ([, number]) => Number(number)));
  return { sql, params: params.slice(0, highest) };
}

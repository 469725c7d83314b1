import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../../accounts/access.ts';
import { editAll, editMany, statement } from './edit-many.ts';
import type { LinkTools } from '../tools.ts';
import { UNDO_RULES, type Undoing } from './undo-rules.ts';

/** Undoes changes of many links, and says which links keep what the change gave them, and why. */

/**
 * Why a link was left as it is: the field has been `changed` since, the link has been `deleted` since, or the former
 * value does not fit what it has now (`unfit`), such as an expiry before its start.
 */
export type LeftFor = 'changed' | 'deleted' | 'unfit';

export interface Undone {
  /** The ids of the links that have the former value again. */
  readonly restored: readonly string[];
  readonly left: readonly { readonly id: string; readonly reason: LeftFor }[];
}

/** An edit of many links: its id, and the name without case of the tag that it gave or took, if it did. */
export interface UndoneEdit {
  readonly edit: string;
  readonly tag?: string;
}

/**
 * Gives those of some links that the edit has changed the former value of its field again, in one transaction, unless
 * the field was changed since. Other fields stay as they are. Throws what `editMany` throws.
 *
 * @param ids 1 to `MAX_MANY`
 * @param editId the id of this edit
 */
export async function undoMany(
  tools: LinkTools,
  actor: Actor,
  ids: readonly string[],
  action: Undoing,
  undone: UndoneEdit,
  editId: string,
): Promise<Undone> {
  const value = JSON.stringify(undone);
  const restored = await editMany(tools, actor, ids, action, { value, editId });
  const others = ids.filter((id) => !restored.includes(id));
  if (others.length === 0) return { restored, left: [] };
  return { restored, left: await findLeft(tools, actor, others, action, { value, editId }) };
}

/** Like `undoMany`, for a merge of campaigns with many links; returns how many have their former campaign again. */
export async function undoMergeOf(
  tools: LinkTools,
  actor: Actor,
  ids: readonly string[],
  edit: string,
): Promise<number> {
  return (await editAll(tools, actor, ids, 'undo_campaign', { value: JSON.stringify({ edit }) })).length;
}

async function findLeft(
  { db }: LinkTools,
  actor: Actor,
  ids: readonly string[],
  action: Undoing,
  { value, editId }: { readonly value: string; readonly editId: string },
): Promise<Undone['left']> {
  const isDeleted = action === 'undo_delete' ? 'FALSE' : 'l.deleted_at IS NOT NULL';
  const sql = `${ACTING}
    SELECT l.id, CASE WHEN ${isDeleted} THEN 'deleted' WHEN ${UNDO_RULES[action].isChangedSince} THEN 'changed'
      ELSE 'unfit' END AS reason
    FROM links l
    WHERE l.id IN (SELECT value FROM json_each(?8)) AND l.client_id = ${SOLE_CLIENT}
      AND EXISTS (SELECT 1 FROM link_history WHERE link_id = l.id AND edit_id = ?10 ->> 'edit')`;
  const params = [...actingParams(actor, 'links:write', Date.now()), JSON.stringify(ids), editId, value];
  const [rows] = await db.batch<[{ readonly id: string; readonly reason: LeftFor }]>([statement(sql, params)]);
  const reasons = new Map(rows.map(({ id, reason }) => [id, reason]));
  return ids.flatMap((id) => {
    const reason = reasons.get(id);
    return reason === undefined ? [] : [{ id, reason }];
  });
}

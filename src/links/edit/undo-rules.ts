import { RESTORABLE_MS } from '../managed-link.ts';
import { MAX_TAGS_OF_LINK } from '../tags/names.ts';
import { EDIT, hasTag, IS_LIVE, NOW, tagging, tagOf, VALUE, type ManyRule } from './many-rule.ts';

/**
 * The undoing of changes of many links, field by field: a link gets the value that the field had before, unless the
 * field has been changed since. What was changed in its other fields stays. The value is a JSON object, `{edit, tag}`:
 * the id of the edit, and the name of the tag without case.
 */

export const UNDOINGS = [
  'undo_disable',
  'undo_delete',
  'undo_campaign',
  'undo_expiry',
  'undo_tag',
  'undo_untag',
] as const;
export type Undoing = (typeof UNDOINGS)[number];

interface UndoRule extends ManyRule {
  /** True if the edit has changed the field of link `l`, and it was changed since. */
  readonly isChangedSince: string;
}

/** An expression about the entry of the edit in the history of link `l`; NULL if it has none. */
const ofEdit = (expression: string) =>
  `(SELECT ${expression} FROM link_history WHERE link_id = l.id AND edit_id = ${VALUE} ->> 'edit')`;

// The entry of this edit is there before the links are changed.
const isSince = (touched: string) => `EXISTS (
    SELECT 1 FROM link_history h
    WHERE h.link_id = l.id AND h.n > ${ofEdit('n')} AND h.edit_id <> ${EDIT} AND ${touched})`;

/** @param condition what else the link must fit, of its former value */
function undoing(
  column: string,
  { when = IS_LIVE, action = 'edited', condition = () => 'TRUE' }: Undone = {},
): UndoRule {
  const [former, given] = [ofEdit(`changes ->> '$.${column}[0]'`), ofEdit(`changes ->> '$.${column}[1]'`)];
  const isOfEdit = `coalesce(${ofEdit(`json_type(changes, '$.${column}')`)} = 'array', FALSE)`;
  const isChangedSince = `${isOfEdit} AND (l.${column} IS NOT ${given} OR ${isSince(`json_type(h.changes, '$.${column}') = 'array'`)})`;
  return {
    when: `${when} AND ${isOfEdit} AND NOT (${isChangedSince}) AND ${condition(former)}`,
    set: `${column} = ${former}`,
    action,
    changes: `json_object('${column}', json_array(l.${column}, ${former}))`,
    isChangedSince,
  };
}

interface Undone {
  readonly when?: string;
  readonly action?: string;
  readonly condition?: (former: string) => string;
}

const TAG = tagOf(`${VALUE} ->> 'tag'`);
const namesIn = (changes: string, side: 0 | 1) => `json_each(coalesce(${changes} ->> '$.tags[${side}]', '[]'))`;

/** Takes a tag that an edit has given, or gives one that it has taken, whatever other tags the link has got since. */
function undoingTag(kind: 'tag' | 'untag'): UndoRule {
  const [without, having] = kind === 'tag' ? ([0, 1] as const) : ([1, 0] as const);
  const [entry, isOfEdit] = [ofEdit('changes'), `${ofEdit(`json_type(changes, '$.tags')`)} = 'array'`];
  // As it was called then, and as it is called now.
  const names = `(SELECT value FROM ${namesIn(entry, having)} WHERE value NOT IN (SELECT value FROM ${namesIn(entry, without)})
    UNION SELECT name FROM tags WHERE id = ${TAG})`;
  const has = (side: 0 | 1) => `EXISTS (SELECT 1 FROM ${namesIn('h.changes', side)} WHERE value IN ${names})`;
  const isGiven = kind === 'tag' ? hasTag(TAG) : `NOT ${hasTag(TAG)}`;
  const isChangedSince = `coalesce(${isOfEdit}, FALSE) AND (NOT ${isGiven} OR ${isSince(`${has(0)} <> ${has(1)}`)})`;
  const fits = kind === 'tag' ? 'TRUE' : hasRoom;
  const when = `coalesce(${isOfEdit}, FALSE) AND ${TAG} IS NOT NULL AND NOT (${isChangedSince}) AND ${fits}`;
  return { ...tagging(kind === 'tag' ? 'untag' : 'tag', TAG, when), isChangedSince };
}

const hasRoom = `(SELECT count(*) FROM link_tags WHERE link_id = l.id) < ${MAX_TAGS_OF_LINK}`;

export const UNDO_RULES: Readonly<Record<Undoing, UndoRule>> = {
  undo_disable: undoing('disabled_at'),
  undo_delete: undoing('deleted_at', { when: `l.deleted_at > ${NOW} - ${RESTORABLE_MS}`, action: 'restored' }),
  undo_campaign: undoing('campaign_name'),
  // A link starts before it expires.
  undo_expiry: undoing('expires_at', {
    condition: (former) => `(${former} IS NULL OR l.starts_at IS NULL OR l.starts_at < ${former})`,
  }),
  undo_tag: undoingTag('tag'),
  undo_untag: undoingTag('untag'),
};

import { RESTORABLE_MS } from '../managed.ts';
import { MAX_TAGS_OF_LINK } from '../tags/names.ts';

/** The changes of many links at once, in SQL, of links `l`. */

/** Changes without a value; each can be undone by another one. */
export const SWITCHES = ['disable', 'enable', 'delete', 'restore'] as const;
/** Changes of a field, each with a value. */
export const SETTINGS = ['campaign', 'expiry'] as const;
/** Changes of tags, each of which undoes the other; the value is the name of a tag without case. */
export const TAGGINGS = ['tag', 'untag'] as const;
/** Changes that give each link the value that it had before a change of a field. */
export const UNDOINGS = ['undo_campaign', 'undo_expiry'] as const;

export const MANY_ACTIONS = [...SWITCHES, ...SETTINGS, ...TAGGINGS, ...UNDOINGS] as const;
export type ManyAction = (typeof MANY_ACTIONS)[number];

export interface ManyRule {
  /** The condition for links that it changes: those that are not in the new state yet, and may get it. */
  readonly when: string;
  readonly set: string;
  /** The action in the links' history. */
  readonly action: string;
  readonly changes: string;
  /** Writes what is not in `links`, of the links `l` that fit a condition. */
  readonly also?: (isChanged: string) => string;
}

/** Of the parameters of `editMany`: the present time, the id of this edit, and the value. */
const [NOW, EDIT, VALUE] = ['?5', '?9', '?10'] as const;

const IS_LIVE = 'l.deleted_at IS NULL';

/** Gives a column the value. */
function setting(column: string, condition = 'TRUE'): ManyRule {
  return {
    when: `${IS_LIVE} AND l.${column} IS NOT ${VALUE} AND ${condition}`,
    set: `${column} = ${VALUE}`,
    action: 'edited',
    changes: `json_object('${column}', json_array(l.${column}, ${VALUE}))`,
  };
}

/** Gives a column its value before the edit whose id is the value, for links that were not changed since. */
function undoing(column: string): ManyRule {
  // The entry of this edit is there before the links are changed.
  const former = `(SELECT CASE WHEN edit_id = ${VALUE} THEN changes END FROM link_history
    WHERE link_id = l.id AND edit_id <> ${EDIT} ORDER BY n DESC LIMIT 1)`;
  const value = `${former} ->> '$.${column}[0]'`;
  return {
    when: `${IS_LIVE} AND json_type(${former}, '$.${column}') = 'array'`,
    set: `${column} = ${value}`,
    action: 'edited',
    changes: `json_object('${column}', json_array(l.${column}, ${value}))`,
  };
}

const TAG = `(SELECT id FROM tags WHERE client_id = l.client_id AND folded = ${VALUE})`;
const HAS_TAG = `EXISTS (SELECT 1 FROM link_tags WHERE link_id = l.id AND tag_id = ${TAG})`;

/** The names of the tags of a link, as JSON text in order, whose ids fit a condition; NULL without any. */
const namesOfTags = (condition: string) => `(SELECT nullif(json_group_array(name), '[]') || '' FROM (
  SELECT name FROM tags WHERE ${condition} ORDER BY folded))`;

/** @param after the condition for the ids of its tags afterwards */
function tagging(when: string, after: string, also: ManyRule['also'] & {}): ManyRule {
  const before = 'id IN (SELECT tag_id FROM link_tags WHERE link_id = l.id)';
  return {
    when: `${IS_LIVE} AND ${when}`,
    set: 'slug = slug',
    action: 'edited',
    changes: `json_object('tags', json_array(${namesOfTags(before)}, ${namesOfTags(`${before} ${after}`)}))`,
    also,
  };
}

export const MANY_RULES: Readonly<Record<ManyAction, ManyRule>> = {
  disable: {
    when: `${IS_LIVE} AND l.disabled_at IS NULL`,
    set: `disabled_at = ${NOW}`,
    action: 'edited',
    changes: `json_object('disabled_at', json_array(NULL, ${NOW}))`,
  },
  enable: {
    when: `${IS_LIVE} AND l.disabled_at IS NOT NULL`,
    set: 'disabled_at = NULL',
    action: 'edited',
    changes: `json_object('disabled_at', json_array(l.disabled_at, NULL))`,
  },
  delete: {
    when: IS_LIVE,
    set: `deleted_at = ${NOW}`,
    action: 'deleted',
    changes: `json_object('deleted_at', json_array(NULL, ${NOW}))`,
  },
  restore: {
    when: `l.deleted_at > ${NOW} - ${RESTORABLE_MS}`,
    set: 'deleted_at = NULL',
    action: 'restored',
    changes: `json_object('deleted_at', json_array(l.deleted_at, NULL))`,
  },
  campaign: setting('campaign_name'),
  // A link starts before it expires.
  expiry: setting('expires_at', `(${VALUE} IS NULL OR l.starts_at IS NULL OR l.starts_at < ${VALUE})`),
  undo_campaign: undoing('campaign_name'),
  undo_expiry: undoing('expires_at'),
  tag: tagging(
    `${TAG} IS NOT NULL AND NOT ${HAS_TAG} AND (SELECT count(*) FROM link_tags WHERE link_id = l.id) < ${MAX_TAGS_OF_LINK}`,
    `OR id = ${TAG}`,
    (isChanged) => `INSERT INTO link_tags (link_id, tag_id, created_at)
      SELECT l.id, ${TAG}, l.created_at FROM links l WHERE ${isChanged} ON CONFLICT DO NOTHING`,
  ),
  untag: tagging(
    HAS_TAG,
    `AND id <> ${TAG}`,
    (isChanged) => `DELETE FROM link_tags
      WHERE (link_id, tag_id) IN (SELECT l.id, ${TAG} FROM links l WHERE ${isChanged})`,
  ),
};

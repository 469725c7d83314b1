import { RESTORABLE_MS } from '../managed-link.ts';
import { MAX_TAGS_OF_LINK } from '../tags/names.ts';
import { hasTag, IS_LIVE, NOW, tagging, tagOf, VALUE, type ManyRule } from './many-rule.ts';
import { UNDO_RULES, UNDOINGS } from './undo-rules.ts';

/** The changes of many links at once, in SQL, of links `l`. */

/** Changes without a value. */
const SWITCHES = ['disable', 'enable', 'delete', 'restore'] as const;
/** Changes of a field, each with a value. */
const SETTINGS = ['campaign', 'expiry'] as const;
/** Changes of tags; the value is the name of a tag without case. */
const TAGGINGS = ['tag', 'untag'] as const;

/** The actions of a user on many links. */
export const BULK_ACTIONS = [...SWITCHES, ...SETTINGS, ...TAGGINGS] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
export const MANY_ACTIONS = [...BULK_ACTIONS, ...UNDOINGS] as const;
export type ManyAction = (typeof MANY_ACTIONS)[number];

/** Gives a column the value. */
function setting(column: string, condition = 'TRUE'): ManyRule {
  return {
    when: `${IS_LIVE} AND l.${column} IS NOT ${VALUE} AND ${condition}`,
    set: `${column} = ${VALUE}`,
    action: 'edited',
    changes: `json_object('${column}', json_array(l.${column}, ${VALUE}))`,
  };
}

const TAG = tagOf(VALUE);

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
  tag: tagging(
    'tag',
    TAG,
    `${TAG} IS NOT NULL AND NOT ${hasTag(TAG)} AND (SELECT count(*) FROM link_tags WHERE link_id = l.id) < ${MAX_TAGS_OF_LINK}`,
  ),
  untag: tagging('untag', TAG, hasTag(TAG)),
  ...UNDO_RULES,
};

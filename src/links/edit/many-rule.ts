/** One change of many links at once, in SQL, of links `l`. */
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
export const [NOW, EDIT, VALUE] = ['?5', '?9', '?10'] as const;

export const IS_LIVE = 'l.deleted_at IS NULL';

/** The names of the tags of a link, as JSON text in order, whose ids fit a condition; NULL without any. */
const namesOfTags = (condition: string) => `(SELECT nullif(json_group_array(name), '[]') || '' FROM (
  SELECT name FROM tags WHERE ${condition} ORDER BY folded))`;

/** The tag of the client whose name without case is in an expression, and whether the link has it. */
export const tagOf = (folded: string) => `(SELECT id FROM tags WHERE client_id = l.client_id AND folded = ${folded})`;
export const hasTag = (tag: string) => `EXISTS (SELECT 1 FROM link_tags WHERE link_id = l.id AND tag_id = ${tag})`;

/** Gives links a tag, or takes it from them. */
export function tagging(kind: 'tag' | 'untag', tag: string, when: string): ManyRule {
  const before = 'id IN (SELECT tag_id FROM link_tags WHERE link_id = l.id)';
  const after = kind === 'tag' ? `OR id = ${tag}` : `AND id <> ${tag}`;
  return {
    when: `${IS_LIVE} AND ${when}`,
    set: 'slug = slug',
    action: 'edited',
    changes: `json_object('tags', json_array(${namesOfTags(before)}, ${namesOfTags(`${before} ${after}`)}))`,
    also: (isChanged) =>
      kind === 'tag'
        ? `INSERT INTO link_tags (link_id, tag_id, created_at)
      SELECT l.id, ${tag}, l.created_at FROM links l WHERE ${isChanged} ON CONFLICT DO NOTHING`
        : `DELETE FROM link_tags
      WHERE (link_id, tag_id) IN (SELECT l.id, ${tag} FROM links l WHERE ${isChanged})`,
  };
}

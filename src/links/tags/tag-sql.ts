import { MAX_TAGS } from './limits.ts';

/** The parts of statements that read and write the tags of links. */

/** The names of the tags of links `table`, as JSON text in order; NULL without any. */
export const tagNamesOf = (table: string): string => `(SELECT nullif(json_group_array(name), '[]') FROM (
    SELECT t.name FROM link_tags lt CROSS JOIN tags t ON t.id = lt.tag_id WHERE lt.link_id = ${table}.id ORDER BY t.folded))`;

/** `tagNamesOf` in any order, which reads no rows of a link without tags. */
export const unorderedTagNamesOf = (table: string): string => `(SELECT nullif(json_group_array(t.name), '[]')
    FROM link_tags lt CROSS JOIN tags t ON t.id = lt.tag_id WHERE lt.link_id = ${table}.id)`;

/** `tagNamesOf` without case. */
export const foldedTagsOf = (table: string): string => `(SELECT nullif(json_group_array(folded), '[]') FROM (
    SELECT t.folded FROM link_tags lt CROSS JOIN tags t ON t.id = lt.tag_id WHERE lt.link_id = ${table}.id ORDER BY t.folded))`;

/** True if a client has room for the tags of a JSON list of `WantedTag`, some of which it may have. */
export const hasRoomFor = (client: string, list: string): string => `(
    (SELECT count(*) FROM tags WHERE client_id = ${client}) + (SELECT count(*) FROM json_each(${list}) AS wanted
      WHERE NOT EXISTS (SELECT 1 FROM tags WHERE client_id = ${client} AND folded = wanted.value ->> 'folded')) <= ${MAX_TAGS})`;

/**
 * A common table expression of the tags that a list would create, with their places in the order in which its items name
 * them. If the client has room for some of them only, it is for the first.
 *
 * @param items the list, as JSON; the `tags` of an item are `WantedTag`s
 * @param clientOf the client of an item
 */
export const newTagsOf = (items: string, clientOf: (item: string) => string): string => `
  new_tags (client_id, folded, place) AS MATERIALIZED (
    SELECT ${clientOf('other')} AS client_id, wanted.value ->> 'folded' AS folded,
      row_number() OVER (PARTITION BY ${clientOf('other')} ORDER BY min(other.key), wanted.value ->> 'folded')
    FROM json_each(${items}) AS other CROSS JOIN json_each(other.value, '$.tags') AS wanted
    WHERE NOT EXISTS (
      SELECT 1 FROM tags WHERE client_id = ${clientOf('other')} AND folded = wanted.value ->> 'folded')
    GROUP BY 1, 2)`;

/** True if the client has room for the tags of an item of that list. */
export const hasRoomAmong = (client: string, item: string): string => `NOT EXISTS (
    SELECT 1 FROM json_each(${item}, '$.tags') AS own
    CROSS JOIN new_tags n ON n.client_id = ${client} AND n.folded = own.value ->> 'folded'
    WHERE n.place + (SELECT count(*) FROM tags WHERE client_id = ${client}) > ${MAX_TAGS})`;

/**
 * Gives links their tags, and creates those that their client does not have yet: two statements. The first spelling of a
 * tag and its colour stay.
 *
 * @param from a FROM clause with links `l` and their `tag`, whose value is a `WantedTag`, and its condition
 */
export const insertTags = (from: string): readonly [tags: string, ofLinks: string] => [
  `INSERT INTO tags (client_id, name, folded, colour, created_at)
    SELECT l.client_id, tag.value ->> 'name', tag.value ->> 'folded', tag.value ->> 'colour', l.updated_at ${from}
    ON CONFLICT DO NOTHING`,
  `INSERT INTO link_tags (link_id, tag_id, created_at)
    SELECT l.id, (SELECT id FROM tags WHERE client_id = l.client_id AND folded = tag.value ->> 'folded'), l.created_at
    ${from} ON CONFLICT DO NOTHING`,
];

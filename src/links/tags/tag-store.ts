import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../../accounts/access.ts';
import { insertAudit } from '../../accounts/audit/write-audit.ts';
import type { Param, Statement } from '../../database/database.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { MAX_LINKS_COUNTED } from '../list/most-counted.ts';
import { MAX_TAGS } from './limits.ts';
import type { TagColour } from './names.ts';

/** The SQL by which the tags of a client are managed. */

export interface TagRow {
  readonly id: string;
  readonly name: string;
  readonly folded: string;
  readonly colour: TagColour;
  readonly created_at: number;
  readonly links: number;
}

const COLUMNS = `t.id, t.name, t.folded, t.colour, t.created_at, (SELECT count(*) FROM (
    SELECT 1 FROM link_tags lt CROSS JOIN links l ON l.id = lt.link_id
    WHERE lt.tag_id = t.id AND l.deleted_at IS NULL LIMIT ${MAX_LINKS_COUNTED})) AS links`;

const OF_CLIENT = `t.client_id = ${SOLE_CLIENT}`;

/** In the order of the alphabet: the position of a row is its folded name. */
export function selectTags(actor: Actor, now: number, { after: [at, folded], limit }: Page): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM tags t WHERE ${OF_CLIENT} AND t.folded > ?8 ORDER BY t.folded LIMIT ?9`,
    params: [...actingParams(actor, 'links:read', now), at === 0 ? folded : '', rowsOfPage(limit)],
  };
}

export function selectTag(
  actor: Actor,
  now: number,
  id: string,
  permission: 'links:read' | 'links:write' = 'links:write',
): Statement {
  return {
    sql: `${ACTING} SELECT ${COLUMNS} FROM tags t WHERE t.id = ?8 AND ${OF_CLIENT}`,
    params: [...actingParams(actor, permission, now), id],
  };
}

/** All tags of the client, in the order of the alphabet, without their links. */
export function selectColours(actor: Actor, now: number): Statement {
  return {
    sql: `${ACTING} SELECT t.id, t.name, t.colour FROM tags t WHERE ${OF_CLIENT} ORDER BY t.folded LIMIT ${MAX_TAGS}`,
    params: actingParams(actor, 'links:read', now),
  };
}

export type TagColourRow = Pick<TagRow, 'name' | 'colour'>;

/**
 * The colours of the tags of one link of the actor's clients.
 *
 * @param acting the parameters of `ACTING`
 */
export function selectColoursOf(acting: readonly Param[], linkId: string): Statement {
  return {
    sql: `${ACTING} SELECT t.name, t.colour FROM link_tags lt CROSS JOIN tags t ON t.id = lt.tag_id
      WHERE lt.link_id = ?8 AND t.client_id IN (SELECT client_id FROM acting)`,
    params: [...acting, linkId],
  };
}

/** Selects the tag with a name, without case. */
export function selectTagNamed(actor: Actor, now: number, folded: string): Statement {
  return {
    sql: `${ACTING} SELECT ${COLUMNS} FROM tags t WHERE t.folded = ?8 AND ${OF_CLIENT}`,
    params: [...actingParams(actor, 'links:write', now), folded],
  };
}

interface NewTag {
  readonly name: string;
  readonly folded: string;
  readonly colour: TagColour;
}

/** Inserts a tag, and returns its row, unless its name is taken or the client has too many. */
export function insertTag(actor: Actor, now: number, { name, folded, colour }: NewTag): Statement {
  return {
    sql: `${ACTING}
      INSERT INTO tags (client_id, name, folded, colour, created_at)
      SELECT client_id, ?8, ?9, ?10, ?5 FROM acting
      WHERE client_id = ${SOLE_CLIENT} AND (SELECT count(*) FROM tags t WHERE ${OF_CLIENT}) < ${MAX_TAGS}
      ON CONFLICT DO NOTHING
      RETURNING id, name, folded, colour, created_at, 0 AS links`,
    params: [...actingParams(actor, 'links:write', now), name, folded, colour],
  };
}

interface TagChange {
  readonly name: string | null;
  readonly folded: string | null;
  readonly colour: TagColour | null;
}

/** Changes a tag, unless another one has the name; null keeps a value. A new name is recorded. */
export function updateTag(actor: Actor, now: number, id: string, { name, folded, colour }: TagChange): Statement[] {
  const isFree = `t.id = ?8 AND ${OF_CLIENT}
    AND NOT EXISTS (SELECT 1 FROM tags o WHERE o.client_id = t.client_id AND o.folded = ?10 AND o.id <> t.id)`;
  return [
    insertAudit(actor, 'links:write', now, {
      action: 'tag.renamed',
      subjects: `SELECT client_id, id, ?9, json_object('former_name', name) FROM tags t WHERE ${isFree} AND ?9 <> name`,
      params: [id, name, folded],
    }),
    {
      sql: `${ACTING}
        UPDATE tags AS t SET name = coalesce(?9, name), folded = coalesce(?10, folded), colour = coalesce(?11, colour)
        WHERE ${isFree} RETURNING id`,
      params: [...actingParams(actor, 'links:write', now), id, name, folded, colour],
    },
  ];
}

/** True if a webhook sends only events about links with the tag, which without it would never be sent. */
const IS_IN_USE = 'EXISTS (SELECT 1 FROM webhooks w WHERE w.client_id = t.client_id AND w.tag_id = t.id)';

/** Deletes a tag, whose links stay, unless a webhook is limited to it; the last statement returns a row if it did. */
export function deleteTagRows(actor: Actor, now: number, id: string): Statement[] {
  const params = [...actingParams(actor, 'links:write', now), id];
  const isUnused = `t.id = ?8 AND ${OF_CLIENT} AND NOT ${IS_IN_USE}`;
  return [
    insertAudit(actor, 'links:write', now, {
      action: 'tag.deleted',
      subjects: `SELECT client_id, id, name, NULL FROM tags t WHERE ${isUnused}`,
      params: [id],
    }),
    {
      sql: `${ACTING} DELETE FROM link_tags WHERE tag_id = (SELECT t.id FROM tags t WHERE ${isUnused})`,
      params,
    },
    { sql: `${ACTING} DELETE FROM tags AS t WHERE ${isUnused} RETURNING id`, params },
  ];
}

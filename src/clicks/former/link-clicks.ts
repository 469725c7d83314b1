import type { Param, Statement } from '../../database/database.ts';
import { isMoved, namesIfCounted } from './days.ts';

/** The clicks of a link that were counted in D1, unless it is moved. */
export interface FormerClicksRow {
  readonly is_moved: number;
  /** A JSON array of its days, `{day, humans, bots, previews, last_at}`. */
  readonly days: string;
  /** The marks of its visitors today, eight characters each, joined. */
  readonly marks: string;
}

// A value has 2 MB at most. A link with more visitors shows fewer, on the day of the update alone.
const MAX_MARKS = 240_000;

/** The parts of a SELECT, as SQL. */
interface Parts {
  /** The text before the SELECT, such as grants. */
  readonly before: string;
  /** The client; null if the caller may not ask. */
  readonly client: string;
  readonly link: string;
  readonly today: string;
}

/** Selects one row. */
export function selectFormerClicks({ before, client, link, today }: Parts, params: readonly Param[]): Statement {
  return {
    sql: `${before}
      SELECT ${isMoved(client)} AS is_moved,
        (SELECT json_group_array(json_object('day', day, 'humans', humans, 'bots', bots, 'previews', previews,
            'last_at', last_at)) FROM click_days
          WHERE client_id = ${client} AND NOT ${isMoved(client)} AND subject = 'link' AND name = ${link}) AS days,
        (SELECT coalesce(group_concat(mark, ''), '') FROM (
          SELECT DISTINCT each.value AS mark FROM visitor_marks v, json_each(replace(v.marks, '][', ',')) AS each
          WHERE v.link_id = ${link} AND v.day = ${today} AND ${client} IS NOT NULL LIMIT ${MAX_MARKS})) AS marks`,
    params,
  };
}

/** The clicks of some links or campaigns that were counted in D1. */
export interface FormerTotalsRow {
  readonly is_moved: number;
  /** A link's id, or a campaign's name; null in the only row of a client without such clicks. */
  readonly name: string | null;
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
  readonly last_at: number;
}

/** Selects the clicks of links or campaigns of a client, of whose links the caller may read; at least one row. */
export function selectFormerTotals(
  clientId: string,
  names: readonly string[],
  kind: 'link' | 'campaign' = 'link',
): Statement {
  return {
    sql: `SELECT ${isMoved('?1')} AS is_moved, name, coalesce(sum(humans), 0) AS humans, coalesce(sum(bots), 0) AS bots,
        coalesce(sum(previews), 0) AS previews, coalesce(max(last_at), 0) AS last_at
      FROM (SELECT 1) LEFT JOIN click_days
        ON client_id = ?1 AND subject = ?3 AND name IN (SELECT value FROM json_each(${namesIfCounted('?1', '?2')}))
      GROUP BY name`,
    params: [clientId, JSON.stringify(names), kind],
  };
}

/** The clicks of people on a link on a UTC day, as D1 has counted them. */
export interface FormerPeopleRow {
  readonly name: string;
  readonly day: string;
  readonly humans: number;
}

/** Selects the days of links of a client, of whose links the caller may read, unless they are moved. */
export function selectFormerPeople(clientId: string, linkIds: readonly string[], from: string): Statement {
  return {
    sql: `SELECT name, day, humans FROM click_days
      WHERE client_id = ?1 AND subject = 'link' AND name IN (SELECT value FROM json_each(${namesIfCounted('?1', '?2')})) AND day >= ?3`,
    params: [clientId, JSON.stringify(linkIds), from],
  };
}

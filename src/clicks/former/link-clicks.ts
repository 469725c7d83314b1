import type { Param, Statement } from '../../database.ts';
import { isMoved } from './days.ts';

/** What was counted of a link in D1, unless it is moved. */
export interface FormerClicksRow {
  readonly is_moved: number;
  /** A JSON array of its days, `{day, humans, bots, previews, last_at}`. */
  readonly days: string;
  /** The marks of its visitors today, eight characters each, joined. */
  readonly marks: string;
}

/** The parts of a SELECT, as SQL. */
interface Parts {
  /** What stands before the SELECT, such as grants. */
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
        (SELECT coalesce(group_concat(mark.value, ''), '')
          FROM visitor_marks v, json_each(replace(v.marks, '][', ',')) AS mark
          WHERE v.link_id = ${link} AND v.day = ${today} AND ${client} IS NOT NULL) AS marks`,
    params,
  };
}

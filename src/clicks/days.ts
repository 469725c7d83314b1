import { GRANTS, grantParams, type Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { LINK_DELETED } from '../deleted-link.ts';
import { AppError } from '../errors.ts';
import { addDays } from '../time/day.ts';
import type { Counts } from './link-clicks.ts';
import type { StatsQuery } from './query.ts';
import type { DimensionColumn, Subject } from './sums.ts';
import { openClock } from '../time/time-zone.ts';

/** The subject whose clicks are requested: `name` is a link's id, a campaign's name, or '' for the client. */
export interface StatsSubject {
  readonly subject: Subject;
  readonly name: string;
}

/** The requested days, and the client. */
export type Range = Pick<StatsQuery, 'from' | 'to' | 'tz' | 'client_id'>;

interface AccessRow {
  readonly credential_ok: number;
  readonly clients: number;
  readonly client_id: string | null;
  readonly scope_ok: number;
  /** Whether the requested link is the client's own and was deleted. */
  readonly is_deleted: number;
}

/** A UTC day's clicks with the requested breakdowns, each a `Breakdown` as JSON. */
export type DayRow<Column extends DimensionColumn> = Omit<Counts, 'total'> & { readonly day: string } & Readonly<
    Record<Column, string>
  >;

/**
 * Reads the UTC days that overlap a range, in one round trip, a row for each day. Another tenant's link is `not_found`;
 * a user of several clients must name one. Throws `invalid_credential`, `wrong_client`, `missing_field`, `not_found`,
 * `gone`, `store_unavailable`.
 */
export async function readDays<Column extends DimensionColumn>(
  db: Database,
  credential: Credential,
  { subject, name }: StatsSubject,
  range: Range,
  columns: readonly Column[],
): Promise<readonly DayRow<Column>[]> {
  const [first, last] = utcDaysOf(range);
  const params = [...grantParams(credential, Date.now()), range.client_id ?? null, subject, name];
  const client = `(
    SELECT CASE
      WHEN ?7 = 'link' THEN (
        SELECT client_id FROM links
        WHERE id = ?8 AND deleted_at IS NULL AND client_id IN (SELECT client_id FROM grants) AND client_id = coalesce(?6, client_id))
      WHEN ?6 IS NOT NULL THEN (SELECT client_id FROM grants WHERE client_id = ?6)
      WHEN (SELECT count(client_id) FROM grants) = 1 THEN (SELECT client_id FROM grants)
    END)`;
  const permitted = `(
    SELECT client_id FROM grants WHERE client_id = ${client} AND instr(permissions, ' stats:read ') > 0)`;
  const [access, days] = await db.batch<[AccessRow, DayRow<Column>]>([
    {
      sql: `${GRANTS}
        SELECT EXISTS (SELECT 1 FROM grants) AS credential_ok, (SELECT count(client_id) FROM grants) AS clients,
          ${client} AS client_id, ${permitted} IS NOT NULL AS scope_ok,
          ?7 = 'link' AND EXISTS (
            SELECT 1 FROM links WHERE id = ?8 AND deleted_at IS NOT NULL AND url <> '' AND client_id IN (
              SELECT client_id FROM grants
              WHERE client_id = coalesce(?6, client_id) AND instr(permissions, ' stats:read ') > 0)) AS is_deleted`,
      params,
    },
    {
      sql: `${GRANTS}
        SELECT ${['day', 'humans', 'bots', 'previews', ...columns].join(', ')} FROM click_days
        WHERE client_id = ${permitted} AND subject = ?7 AND name = ?8 AND day BETWEEN ?9 AND ?10
        ORDER BY day`,
      params: [...params, first, last],
    },
  ]);
  refuse(access[0], subject, range);
  return days;
}

// East of Greenwich a day begins in the UTC day before; west of it, a day ends in the UTC day after.
export function utcDaysOf({ from, to, tz }: Range): [first: string, last: string] {
  const clock = openClock(tz);
  const offset = (day: string) => clock(Date.parse(day)).text.at(-6);
  return [offset(from) === '+' ? addDays(from, -1) : from, offset(to) === '-' ? addDays(to, 1) : to];
}

function refuse(row: AccessRow | undefined, subject: Subject, range: Range): void {
  if (!row?.credential_ok) {
    throw new AppError('invalid_credential', 'The credential is revoked, expired or unknown. Use another one.');
  }
  if (row.scope_ok) return;
  if (row.client_id !== null) {
    throw new AppError('insufficient_scope', 'This API key does not have the scope stats:read. Use another key.');
  }
  if (row.is_deleted) throw new AppError('gone', LINK_DELETED);
  if (subject === 'link') throw new AppError('not_found', 'There is no link with this id that you can access.');
  if (range.client_id !== undefined || row.clients === 0) {
    throw new AppError(
      'wrong_client',
      'The credential does not belong to this client. Send the client_id that it belongs to.',
    );
  }
  throw new AppError(
    'missing_field',
    'client_id is required, since the user belongs to several clients: send one in the query.',
  );
}

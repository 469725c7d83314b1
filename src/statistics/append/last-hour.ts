import { HOUR_MS } from '../../time/day.ts';
import { unpackMarks, type PackMark } from './pack-marks.ts';

/** The deliveries that an object reads when it wakes: those of the last hour. */
export interface LastHour {
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  readonly groups: number;
  /** The marks of their packs. */
  readonly marks: readonly PackMark[];
}

export function readLastHour(sql: SqlStorage, now: number): LastHour {
  const since = now - HOUR_MS;
  const marks: PackMark[] = [];
  let groups = 0;
  for (const row of rowsSince(sql, since)) {
    groups += row.groups;
    marks.push(...unpackMarks(row.packs));
  }
  return { since, groups, marks };
}

interface Row extends Record<string, SqlStorageValue> {
  readonly at: number;
  readonly groups: number;
  readonly packs: ArrayBuffer;
}

/** The rows that were stored at or after a time, newest first. */
export function* rowsSince(sql: SqlStorage, since: number): Generator<Row> {
  for (const row of sql.exec<Row>('SELECT at, groups, packs FROM deliveries ORDER BY id DESC')) {
    if (row.at < since) return;
    yield row;
  }
}

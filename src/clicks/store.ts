import type { Database, Statement } from '../database.ts';
import type { Pack } from './pack.ts';
import { COLUMN_BY_DIMENSION, type DaySum, type HourMarks, type Sums } from './sums.ts';

/**
 * How many distinct values the row of a day keeps for each breakdown and kind; further values are counted as `other`.
 */
export const MAX_VALUES = 200;

// The length in characters, that of 40,000 visitors, from which the row of a link and hour takes no more marks. Even
// with the marks that are added at once, the row stays far below the limit of 2 MB in production.
const MAX_MARKS_CHARACTERS = 40_000 * '"12345678",'.length;
const MAX_MARKS_AT_ONCE = 10_000;

// Marks are appended, and repeated ones are removed each time the row has grown by this many characters. So the cost of
// a link with few visitors depends on the new marks, not on the stored ones.
const TIDY_CHARACTERS = 4096;

// Strings in production are limited to 2 MB; a parameter of this length is below that however the bytes are counted.
const MAX_PARAM_CHARACTERS = 300_000;

/** The columns of a day that are not breakdowns, with their fields in `DaySum`. */
const FIELD_BY_COLUMN = {
  client_id: 'clientId',
  subject: 'subject',
  name: 'name',
  day: 'day',
  humans: 'humans',
  bots: 'bots',
  previews: 'previews',
  last_at: 'lastAt',
} as const satisfies Readonly<Record<string, keyof DaySum>>;
const PLAIN = Object.keys(FIELD_BY_COLUMN);
const BREAKDOWNS = Object.values(COLUMN_BY_DIMENSION);
const COLUMNS = [...PLAIN, ...BREAKDOWNS];
const FIELDS = [...Object.values(FIELD_BY_COLUMN), ...BREAKDOWNS];

// The least number of characters that a key and its count take in a JSON object: `"h:":1,`.
const SHORTEST_VALUE = 7;

/**
 * Merges a breakdown with that of a batch, in SQL. If nothing is added, it stays unchanged. If both together are too
 * short to hold more values than a row keeps, which is nearly always so, the result is a sum by key.
 */
function merged(before: string, added: string): string {
  const both = `SELECT key, value, 1 AS known FROM json_each(${before}) UNION ALL SELECT key, value, 0 FROM json_each(${added})`;
  return `CASE WHEN ${added} = '{}' THEN ${before} WHEN length(${before}) + length(${added}) <= ${MAX_VALUES * SHORTEST_VALUE}
    THEN (SELECT json_group_object(key, clicks) FROM (SELECT key, sum(value) AS clicks FROM (${both}) GROUP BY key))
    ELSE (${capped(both)}) END`;
}

/**
 * Merges where there may be too many values: stored values stay, new ones fill the remaining places, the most clicked
 * first, and the rest is counted as `other`. The first two characters of a key are its kind.
 */
function capped(both: string): string {
  return `
    SELECT json_group_object(key, clicks) FROM (
      SELECT CASE WHEN place > ${MAX_VALUES} THEN prefix || 'other' ELSE key END AS key, sum(clicks) AS clicks FROM (
        SELECT key, prefix, clicks, row_number() OVER (
          PARTITION BY prefix ORDER BY key = prefix || 'other', known DESC, clicks DESC, key
        ) AS place
        FROM (
          SELECT key, substr(key, 1, 2) AS prefix, sum(value) AS clicks, max(known) AS known FROM (${both}) GROUP BY key
        )
      ) GROUP BY 1
    )`;
}

/** Counts packs and marks them as seen, in one transaction; fails as a whole if one of them was seen before. */
export async function insertCounts(db: Database, packs: readonly Pack[], { days, marks }: Sums): Promise<void> {
  await db.batch([
    {
      // No ON CONFLICT: a pack that was seen before must undo the whole batch.
      sql: `INSERT INTO seen_packs (id, packed_at) SELECT value ->> 'id', value ->> 'at' FROM json_each(?1)`,
      params: [JSON.stringify(packs.map(({ id, at }) => ({ id, at })))],
    },
    ...inChunks(days.map(inOrder), (list) => ({
      // Materialized and binary, since the text of a day would otherwise be parsed for each part that is read.
      sql: `WITH listed AS MATERIALIZED (SELECT jsonb(value) AS item FROM json_each(?1)),
            fresh AS MATERIALIZED (
              SELECT ${COLUMNS.map((column, place) => `item ->> ${place} AS ${column}`).join(', ')} FROM listed)
            INSERT INTO click_days (${COLUMNS.join(', ')})
            SELECT ${PLAIN.map((column) => `fresh.${column}`).join(', ')},
              ${BREAKDOWNS.map((column) => merged(`coalesce(old.${column}, '{}')`, `fresh.${column}`)).join(', ')}
            FROM fresh LEFT JOIN click_days AS old ON old.client_id = fresh.client_id
              AND old.subject = fresh.subject AND old.name = fresh.name AND old.day = fresh.day
            WHERE true
            ON CONFLICT DO UPDATE SET humans = humans + excluded.humans, bots = bots + excluded.bots,
              previews = previews + excluded.previews, last_at = max(last_at, excluded.last_at),
              ${BREAKDOWNS.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      params: [list],
    })),
    ...inChunks(marks.flatMap(inParts), (list) => ({
      sql: `INSERT INTO visitor_marks (link_id, day, hour, marks)
            SELECT value ->> 'linkId', value ->> 'day', value ->> 'hour', value -> 'marks' FROM json_each(?1) WHERE true
            ON CONFLICT DO UPDATE SET marks = CASE
              WHEN length(marks) / ${TIDY_CHARACTERS} = length(marks || excluded.marks) / ${TIDY_CHARACTERS}
              THEN marks || excluded.marks
              ELSE (SELECT json_group_array(value) FROM (
                SELECT DISTINCT value FROM json_each(${asOneArray('visitor_marks.marks || excluded.marks')})
              )) END
              WHERE length(visitor_marks.marks) < ${MAX_MARKS_CHARACTERS}`,
      params: [list],
    })),
  ]);
}

// SQLite finds an item of an array by its index, but a field of an object only by searching the names.
function inOrder(sum: DaySum): unknown[] {
  return FIELDS.map((field) => sum[field]);
}

/** Joins appended JSON arrays, whose values hold no brackets, into one array. */
export function asOneArray(appended: string): string {
  return `replace(${appended}, '][', ',')`;
}

/** Splits the marks of an hour into small parameters, so that a full row skips the remaining ones. */
function inParts({ marks, ...hour }: HourMarks): HourMarks[] {
  return Array.from({ length: Math.ceil(marks.length / MAX_MARKS_AT_ONCE) }, (_, part) => ({
    ...hour,
    marks: marks.slice(part * MAX_MARKS_AT_ONCE, (part + 1) * MAX_MARKS_AT_ONCE),
  }));
}

/** Splits a list into statements, each with one parameter within the limit of the database. */
function inChunks(list: readonly object[], toStatement: (json: string) => Statement): Statement[] {
  const statements: Statement[] = [];
  let chunk: string[] = [];
  let characters = 0;
  const close = () => {
    if (chunk.length > 0) statements.push(toStatement(`[${chunk.join(',')}]`));
    [chunk, characters] = [[], 0];
  };
  for (const json of list.map((item) => JSON.stringify(item))) {
    if (characters + json.length > MAX_PARAM_CHARACTERS) close();
    chunk.push(json);
    characters += json.length;
  }
  close();
  return statements;
}

/** The ids of the packs that have been counted. */
export async function findSeen(db: Database, packs: readonly Pack[]): Promise<string[]> {
  const [rows] = await db.batch<[{ readonly id: string }]>([
    {
      sql: `SELECT id FROM seen_packs WHERE id IN (SELECT value FROM json_each(?1))`,
      params: [JSON.stringify(packs.map(({ id }) => id))],
    },
  ]);
  return rows.map(({ id }) => id);
}

interface SaltRow {
  readonly day: string;
  readonly salt: string;
}

/** Stores salts, and returns the stored ones: for each day the first that any isolate has stored. */
export async function insertSalts(db: Database, candidates: readonly SaltRow[]): Promise<SaltRow[]> {
  const json = JSON.stringify(candidates);
  const [, rows] = await db.batch<[never, SaltRow]>([
    {
      sql: `INSERT INTO visitor_salts (day, salt) SELECT value ->> 'day', value ->> 'salt' FROM json_each(?1) WHERE true
            ON CONFLICT DO NOTHING`,
      params: [json],
    },
    {
      sql: `SELECT day, salt FROM visitor_salts WHERE day IN (SELECT value ->> 'day' FROM json_each(?1))`,
      params: [json],
    },
  ]);
  return [...rows];
}

export function deleteMarksBefore(day: string): Statement {
  return { sql: `DELETE FROM visitor_marks WHERE day < ?1`, params: [day] };
}

export function deleteSaltsBefore(day: string): Statement {
  return { sql: `DELETE FROM visitor_salts WHERE day < ?1`, params: [day] };
}

export function deleteSeenBefore(packedAt: number): Statement {
  return { sql: `DELETE FROM seen_packs WHERE packed_at < ?1`, params: [packedAt] };
}

import { partsOf } from './parts.ts';
import { readState, writeState } from './schema.ts';
import type { Counts } from './days/sums.ts';

/** The subjects of statistics: the client, its links and its campaigns. */

/** The number of the client itself. */
export const CLIENT = 0;
/** The number of the links for which a day of the client had no place. */
export const OTHER_LINK = 1;

const NUMBER_BY_KIND = { link: 1, campaign: 2 } as const;
export type SubjectKind = keyof typeof NUMBER_BY_KIND;

interface SubjectRow extends Record<string, SqlStorageValue> {
  readonly name: string;
  readonly id: number;
}

/** The numbers of links or campaigns by name; those without a number get one. */
export function addSubjects(sql: SqlStorage, kind: SubjectKind, names: readonly string[]): Map<string, number> {
  const known = findSubjects(sql, kind, names);
  const fresh = names.filter((name) => !known.has(name));
  if (fresh.length === 0) return known;
  for (const part of partsOf(fresh)) {
    sql.exec(
      `INSERT INTO subjects (id, kind, name)
       SELECT max((SELECT max(id) FROM subjects), ?3) + 1 + key, ?1, value FROM json_each(?2)`,
      NUMBER_BY_KIND[kind],
      part,
      readState(sql, 'last_deleted_subject') ?? 0,
    );
  }
  return findSubjects(sql, kind, names);
}

/** Deletes a subject. Its number is not given to another one, since the sums of the client keep it. */
export function deleteSubject(sql: SqlStorage, number: number): void {
  writeState(sql, 'last_deleted_subject', Math.max(number, readState(sql, 'last_deleted_subject') ?? 0));
  sql.exec('DELETE FROM subjects WHERE id = ?1', number);
}

/** The numbers of those that were clicked, by name. */
export function findSubjects(sql: SqlStorage, kind: SubjectKind, names: readonly string[]): Map<string, number> {
  const rows = partsOf(names).flatMap((part) =>
    sql
      .exec<SubjectRow>(
        'SELECT name, id FROM subjects WHERE kind = ?1 AND name IN (SELECT value FROM json_each(?2))',
        NUMBER_BY_KIND[kind],
        part,
      )
      .toArray(),
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** The number of a link or a campaign; undefined if it was never clicked. */
export function findSubject(sql: SqlStorage, kind: SubjectKind, name: string): number | undefined {
  const [row] = sql.exec<SubjectRow>(
    'SELECT name, id FROM subjects WHERE kind = ?1 AND name = ?2',
    NUMBER_BY_KIND[kind],
    name,
  );
  return row?.id;
}

/** The names of subjects, by number. */
export function readSubjects(sql: SqlStorage, numbers: readonly number[]): Map<number, string> {
  const rows = partsOf(numbers).flatMap((part) =>
    sql.exec<SubjectRow>('SELECT name, id FROM subjects WHERE id IN (SELECT value FROM json_each(?1))', part).toArray(),
  );
  return new Map(rows.map(({ name, id }) => [id, name]));
}

/** The numbers of the next subjects, in order. */
export function subjectsAfter(sql: SqlStorage, after: number, limit: number): number[] {
  const rows = sql.exec<{ id: number }>('SELECT id FROM subjects WHERE id > ?1 ORDER BY id LIMIT ?2', after, limit);
  return [...rows].map(({ id }) => id);
}

/** A link that was clicked. */
export interface NumberedLink {
  readonly number: number;
  readonly name: string;
}

/** The next links, in the order of their numbers. */
export function linksAfter(sql: SqlStorage, after: number, limit: number): NumberedLink[] {
  const rows = sql.exec<{ id: number; name: string }>(
    'SELECT id, name FROM subjects WHERE kind = 1 AND id > ?1 ORDER BY id LIMIT ?2',
    after,
    limit,
  );
  return [...rows].map(({ id, name }) => ({ number: id, name }));
}

/** All clicks of a subject, and the last of them in milliseconds since the epoch; 0 before the first. */
export interface Totals {
  readonly clicks: Counts;
  readonly lastAt: number;
}

/** The folded clicks of a subject, and the carried ones. */
export function readTotals(sql: SqlStorage, subject: number): { readonly folded: Totals; readonly carried: Totals } {
  const [row] = sql.exec<TotalsRow>(
    `SELECT humans, bots, previews, last_at, carried_humans, carried_bots, carried_previews, carried_last_at
     FROM subjects WHERE id = ?1`,
    subject,
  );
  if (row === undefined) return { folded: NO_TOTALS, carried: NO_TOTALS };
  return {
    folded: { clicks: [row.humans, row.bots, row.previews], lastAt: row.last_at },
    carried: { clicks: [row.carried_humans, row.carried_bots, row.carried_previews], lastAt: row.carried_last_at },
  };
}

interface TotalsRow extends Record<string, SqlStorageValue> {
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
  readonly last_at: number;
  readonly carried_humans: number;
  readonly carried_bots: number;
  readonly carried_previews: number;
  readonly carried_last_at: number;
}

const NO_TOTALS: Totals = { clicks: [0, 0, 0], lastAt: 0 };

export function addTotals(sql: SqlStorage, subject: number, { clicks, lastAt }: Totals): void {
  sql.exec(
    `UPDATE subjects SET humans = humans + ?2, bots = bots + ?3, previews = previews + ?4, last_at = max(last_at, ?5)
     WHERE id = ?1`,
    subject,
    ...clicks,
    lastAt,
  );
}

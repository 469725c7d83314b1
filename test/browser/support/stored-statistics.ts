import { createHash, createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { inject } from 'vitest';
import { STATISTICS_FOLDER } from '../../../scripts/stored-database.ts';
import { addToClient } from '../../../src/statistics/days/count-visitors.ts';
import { upgradeSchema, type Storage } from '../../../src/statistics/schema.ts';
import { dayNumberOf, dayOf } from '../../../src/time/day.ts';
import { carryDays, type CarriedDay } from '../../statistics/support/carried-days.ts';

/** Adds days to the click statistics of a client of the running service, in the file of its object. */
export function storeDays(clientId: string, days: readonly CarriedDay[]): void {
  onObject(clientId, (storage) => carryDays(storage, days, dayNumberOf(dayOf(Date.now()))));
}

/**
 * Turns the stored days of a client into days of this version, which knows their visitors too.
 *
 * @param visitors those of all links, by UTC day (since the epoch)
 */
export function storeVisitors(clientId: string, visitors: Map<number, number>): void {
  onObject(clientId, ({ sql }) => {
    sql.exec('INSERT INTO days (id, clicks) SELECT id, clicks FROM carried_days');
    // Visitors of carried days are not known.
    sql.exec('DELETE FROM carried_days');
    addToClient(sql, visitors);
  });
}

function onObject(clientId: string, work: (storage: Storage) => void): void {
  const folder = join(inject('persistTo'), STATISTICS_FOLDER);
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, `${objectIdOf(clientId)}.sqlite`), { timeout: 10_000 });
  try {
    const storage = storageOf(database);
    upgradeSchema(storage);
    work(storage);
  } finally {
    database.close();
  }
}

/** The id by which workerd finds the object with a name, after which it names the file. */
function objectIdOf(name: string): string {
  const key = createHash('sha256').update('terse-ClientStatistics').digest();
  const halfOf = (data: string | Buffer) => createHmac('sha256', key).update(data).digest().subarray(0, 16);
  const first = halfOf(name);
  return Buffer.concat([first, halfOf(first)]).toString('hex');
}

/** The storage of an object, on a database of node. */
function storageOf(database: DatabaseSync): Storage;
function storageOf(database: DatabaseSync): object {
  const exec = (query: string, ...params: readonly SQLInputValue[]) => {
    if (params.length === 0 && query.includes(';')) database.exec(query);
    const rows = params.length === 0 && query.includes(';') ? [] : database.prepare(query).all(...params);
    return Object.assign(rows, { toArray: () => rows, one: () => rows[0] });
  };
  const transactionSync = <Result>(work: () => Result): Result => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
  return { sql: { exec }, transactionSync };
}

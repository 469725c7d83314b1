import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DELETED_ROWS, IDS_A_ROW, KEPT_MS } from '../../src/link-limit/places.ts';
import { LIMIT_SCHEMA } from '../../src/link-limit/schema.ts';
import { limitOf, openLimit, tablesOf, type TestedLimit } from './support/limits.ts';

/** The rows that an object stores, and for how long. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const LARGE = limitOf(1_000_000);

const takeAtOnce = ({ take }: TestedLimit, times: number) =>
  Promise.all(Array.from({ length: times }, () => take(LARGE)));
const rowsOfIds = async ({ rows }: TestedLimit) => (await rows('SELECT id FROM former_ids')).length;

const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** Counts the rows that the object writes during some work. */
async function rowsWrittenBy({ stub }: TestedLimit, work: () => Promise<unknown>): Promise<number> {
  const cursors: { readonly rowsWritten: number }[] = [];
  await runInDurableObject(stub, (_object, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    vi.spyOn(sql, 'exec').mockImplementation((statement: string, ...params: SqlStorageValue[]) => {
      const cursor = exec(statement, ...params);
      cursors.push(cursor);
      return cursor;
    });
  });
  await work();
  vi.restoreAllMocks();
  // In the object, to which they belong.
  return runInDurableObject(stub, () => cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0));
}

describe('a take', () => {
  it('a take writes hardly more than a row, and one that is refused or repeated none', async () => {
    const limit = openLimit();
    await limit.take(LARGE);
    expect(await rowsWrittenBy(limit, () => limit.takeMany(LARGE, 4 * IDS_A_ROW))).toBe(4 * IDS_A_ROW + 4);
    // Visitors who come together share a row.
    expect(await rowsWrittenBy(limit, () => takeAtOnce(limit, 10 * IDS_A_ROW))).toBeLessThan(5 * IDS_A_ROW);
    const id = crypto.randomUUID();
    await limit.take(LARGE, id);
    await limit.stub.set(limitOf(1, 1001));
    const again = () => Promise.all([limit.take(LARGE, id), limit.take(LARGE), limit.take(limitOf(1, 1001))]);
    expect(await rowsWrittenBy(limit, again)).toBe(0);
  });

  it('a take that cannot be stored takes no place, in memory neither', async () => {
    const limit = openLimit();
    await takeAtOnce(limit, IDS_A_ROW - 1);
    // The one that begins another row.
    await runInDurableObject(limit.stub, (_object, { storage: { sql } }) => {
      const exec = sql.exec.bind(sql);
      vi.spyOn(sql, 'exec').mockImplementation((statement: string, ...params: SqlStorageValue[]) => {
        if (statement.includes('INSERT INTO former_ids')) throw new Error('database or disk is full: SQLITE_FULL');
        return exec(statement, ...params);
      });
    });
    const id = crypto.randomUUID();
    const refused = await runInDurableObject(limit.stub, (object) => object.take({ id, ...LARGE }).catch(String));
    expect(refused).toBe('Error: database or disk is full: SQLITE_FULL');
    vi.restoreAllMocks();
    const left = LARGE.max - IDS_A_ROW;
    expect([await limit.stub.left(LARGE), await limit.take(LARGE, id)]).toEqual([left + 1, { isTaken: true, left }]);
    await limit.restart();
    expect([await limit.take(LARGE, id), await rowsOfIds(limit)]).toEqual([{ isTaken: true, left }, 1]);
  });
});

describe('the ids of visits', () => {
  it('the ids of visits are known for minutes, also after the object has ended', async () => {
    const limit = openLimit();
    const ids = Array.from({ length: 200 }, () => crypto.randomUUID());
    for (const id of ids) await limit.take(LARGE, id);
    wait(KEPT_MS);
    for (const end of [async () => {}, limit.restart]) {
      await end();
      const answers = await Promise.all(ids.map((id) => limit.take(LARGE, id)));
      expect(answers).toEqual(ids.map(() => ({ isTaken: true, left: LARGE.max - 200 })));
    }
    expect(await rowsOfIds(limit)).toBe(3);
  });

  it.each(['in memory', 'since the object ended'])(
    'the ids of visits are deleted in slices by later visits, if they are old, %s',
    async (where) => {
      const limit = openLimit();
      const rows = 2 * DELETED_ROWS + 5;
      const id = crypto.randomUUID();
      await limit.take(LARGE, id);
      await takeAtOnce(limit, rows * IDS_A_ROW + 9);
      wait(KEPT_MS + 1);
      if (where !== 'in memory') await limit.restart();
      expect(await rowsOfIds(limit)).toBe(rows);
      const left: number[] = [];
      // A visitor who is refused does it as well.
      for (let time = 0; time < 4; time++) {
        await limit.take(limitOf(1, 1001));
        left.push(await rowsOfIds(limit));
      }
      expect(left).toEqual([DELETED_ROWS + 5, 5, 0, 0]);
      expect(await limit.take(LARGE, id)).toEqual({ isTaken: false, left: 0 });
      expect(await limit.stub.count()).toEqual({ since: LARGE.since, taken: rows * IDS_A_ROW + 10 });
    },
  );

  it('the ids of visits that are young stay when older ones are deleted', async () => {
    const limit = openLimit();
    await takeAtOnce(limit, 3 * IDS_A_ROW);
    wait(KEPT_MS - 1000);
    const id = crypto.randomUUID();
    await limit.take(LARGE, id);
    await takeAtOnce(limit, 2 * IDS_A_ROW);
    wait(2000);
    for (const end of [async () => {}, limit.restart]) {
      await end();
      expect(await limit.take(LARGE, id)).toEqual({ isTaken: true, left: LARGE.max - 5 * IDS_A_ROW - 1 });
      expect(await rowsOfIds(limit)).toBe(2);
    }
  });
});

describe('the tables of an object', () => {
  it('the tables of an object have the version of this code', async () => {
    const limit = openLimit();
    await limit.take(LARGE);
    expect(await tablesOf(limit)).toEqual([{ name: 'former_ids' }, { name: 'period' }, { name: 'state' }]);
    expect(await limit.rows('SELECT * FROM state')).toEqual([{ name: 'schema', value: LIMIT_SCHEMA }]);
  });

  it('the tables of an object of a newer version stay as they are', async () => {
    const limit = openLimit();
    await limit.take(LARGE);
    await limit.rows('UPDATE state SET value = 999');
    await limit.restart();
    expect(await limit.take(LARGE)).toEqual({ isTaken: true, left: LARGE.max - 2 });
    expect(await limit.rows('SELECT * FROM state')).toEqual([{ name: 'schema', value: 999 }]);
  });
});

import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { MAX_MARKS } from '../../src/statistics/append/marks.ts';
import { answerTotals } from '../../src/statistics/questions/totals.ts';
import { deliveryOf, openStatistics, TODAY } from './support/statistics.ts';

describe('the totals of links', () => {
  it('the totals of links read what is not folded once, however many links there are', async () => {
    const { stub } = openStatistics();
    const ids = Array.from({ length: 50 }, (_, i) => `link-${i}`);
    await stub.append(deliveryOf(...ids.map((link) => ({ link }))));
    const { reads, totals } = await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      const exec = vi.spyOn(sql, 'exec');
      const answered = answerTotals(sql, ids);
      const statements = exec.mock.calls.map(([statement]) => statement);
      exec.mockRestore();
      return {
        reads: statements.filter((statement) => statement.includes('FROM deliveries')).length,
        totals: answered,
      };
    });
    expect(reads).toBe(1);
    expect([...totals.values()].map(({ humans }) => humans)).toEqual(ids.map(() => 1));
  });
});

describe('the visitors of an hour', () => {
  it('the visitors of an hour have the same number before and after a fold, also above the limit of an hour', async () => {
    const { stub, fold } = openStatistics();
    const append = async (from: number) => {
      const marks = Buffer.alloc(25_000 * 6);
      for (let i = 0; i < 25_000; i++) marks.writeUInt32BE(from + i, i * 6);
      await stub.append(deliveryOf({ marks: marks.toString('base64url') }));
    };
    await append(0);
    await fold();
    await append(10_000);
    expect(await stub.visitors('link-1', TODAY)).toBe(35_000);
    await append(30_000);
    expect(await stub.visitors('link-1', TODAY)).toBe(MAX_MARKS);
    await fold();
    expect(await stub.visitors('link-1', TODAY)).toBe(MAX_MARKS);
  });
});

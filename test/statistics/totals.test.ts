import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { MAX_MARKS } from '../../src/statistics/append/marks.ts';
import { sumTotals } from '../../src/statistics/questions/totals.ts';
import type { ClicksAndVisitors } from '../../src/statistics/questions/questions.ts';
import { DAY_MS } from '../../src/time/day.ts';
import { deliveryOf, openStatistics, TODAY } from './support/statistics.ts';

describe('the totals of links', () => {
  it('the totals of links read what is not folded once, however many links there are', async () => {
    const { stub } = openStatistics();
    const ids = Array.from({ length: 50 }, (_, i) => `link-${i}`);
    await stub.append(deliveryOf(...ids.map((link) => ({ link }))));
    const { reads, totals } = await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      const exec = vi.spyOn(sql, 'exec');
      const totals = sumTotals(sql, ids);
      const statements = exec.mock.calls.map(([statement]) => statement);
      exec.mockRestore();
      return {
        reads: statements.filter((statement) => statement.includes('FROM deliveries')).length,
        totals,
      };
    });
    expect(reads).toBe(1);
    expect([...totals.values()].map(({ humans }) => humans)).toEqual(ids.map(() => 1));
  });
});

describe('the summary of a link', () => {
  const link = { subject: { kind: 'link', name: 'link-1' } } as const;
  const question = { ...link, visitors: null, summaryOn: TODAY };

  it('the summary of a link is what its totals and its visitors are, of folded, copied and other clicks', async () => {
    const { stub, ask, fold } = openStatistics();
    const summary = async () => (await ask(question)) as unknown as ClicksAndVisitors;
    const alone = async () => {
      const [totals, visitors] = [await stub.totals(['link-1']), await stub.visitors('link-1', TODAY)];
      return { ...totals.get('link-1')!, visitors };
    };
    await stub.append(
      deliveryOf({ marks: 'AAAAAAAAAAAAAAAB' }, { marks: 'AAAAAAAC', link: 'link-2' }, { kind: 'bot' }),
    );
    expect((await summary()).summary).toMatchObject({ humans: 1, bots: 1, visitors: 2 });
    expect((await summary()).summary).toEqual(await alone());
    await fold();
    await stub.append(deliveryOf({ marks: 'AAAAAAAD' }, { at: Date.now() - 3 * DAY_MS, clicks: 5 }));
    const folded = await summary();
    expect(folded.summary).toMatchObject({ humans: 7, bots: 1, visitors: 3 });
    expect(folded.summary).toEqual(await alone());
    expect(folded.days).toEqual(await ask(link));
  });

  it('the summary of a link without clicks, and of a question that asks for none, is null', async () => {
    const { stub, ask } = openStatistics();
    expect(await ask(question)).toEqual({ days: [], visitors: null, summary: null });
    await stub.append(deliveryOf({}));
    expect(await ask({ ...link, visitors: null })).toMatchObject({ summary: null });
    expect(await ask({ ...question, subject: { kind: 'client' } })).toMatchObject({ summary: null });
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

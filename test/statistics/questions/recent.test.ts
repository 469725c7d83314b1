import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { readRecent, type RecentQuestion } from '../../../src/statistics/questions/recent.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { deliveryOf, openStatistics, TODAY, type Statistics } from '../support/statistics.ts';

/** Asks a question. Returns its days, and the number of its pauses. */
function ask({ stub }: Statistics, question: RecentQuestion, mostFacts?: number) {
  return runInDurableObject(stub, async (_object, { storage: { sql } }) => {
    let pauses = 0;
    const recent = await readRecent(sql, question, async () => void (pauses += 1), mostFacts);
    return { pauses, people: [...recent].map(([id, { people }]) => [id, people] as const) };
  });
}

const ago = (days: number) => Date.now() - days * DAY_MS;

describe('the clicks of some links by day', () => {
  it('the clicks of some links by day are those of people, folded or not, beside the totals of all days', async () => {
    const { stub, fold } = openStatistics();
    await stub.append(
      deliveryOf(
        { link: 'a', clicks: 3, at: ago(2) },
        { link: 'a', clicks: 4, at: ago(2), kind: 'bot' },
        { link: 'a', clicks: 5, at: ago(9) },
        { link: 'other', clicks: 9 },
      ),
    );
    const peopleByLink = async () => {
      const recent = await stub.recent({ links: ['a', 'b', 'never'], from: TODAY - 2, to: TODAY });
      return [...recent].map(([id, { humans, bots, people }]) => [id, humans, bots, people]);
    };
    expect(await peopleByLink()).toEqual([['a', 8, 4, [3, 0, 0]]]);
    await fold();
    await stub.append(deliveryOf({ link: 'a', clicks: 1 }, { link: 'b', clicks: 2, at: ago(1) }));
    expect(await peopleByLink()).toEqual([
      ['a', 9, 4, [3, 0, 1]],
      ['b', 2, 0, [0, 2, 0]],
    ]);
  });

  it('the clicks of some links by day are read in slices, and only so many', async () => {
    const statistics = openStatistics();
    for (const link of ['busy-1', 'busy-2', 'busy-3']) {
      const clicks = Array.from({ length: 15_000 }, (_, i) => ({
        link,
        at: ago(i % 10),
        referrer: `r${Math.floor(i / 10) % 190}.example`,
        language: `l${Math.floor(i / 1900)}`,
        clicks: 1,
      }));
      await statistics.stub.append(deliveryOf(...clicks));
    }
    await statistics.fold();
    const question = { links: ['busy-1', 'busy-2', 'busy-3'], from: TODAY - 1, to: TODAY };
    expect((await ask(statistics, question)).people.map(([, people]) => people)).toEqual([
      [1500, 1500],
      [1500, 1500],
      [1500, 1500],
    ]);
    const days = { ...question, from: TODAY - 30 };
    expect((await ask(statistics, days)).pauses).toBe(2);
    expect((await ask(statistics, question, 4000)).people.map(([, people]) => people)).toEqual([
      [1500, 1500],
      [1500, 1500],
      null,
    ]);
  });

  it('the clicks of some links by day are those of at most a hundred links and 31 days', async () => {
    const statistics = openStatistics();
    const links = Array.from({ length: 120 }, (_, i) => `link-${i}`);
    await statistics.stub.append(deliveryOf(...links.map((link) => ({ link }))));
    const { people } = await ask(statistics, { links, from: 0, to: TODAY });
    expect(people).toHaveLength(100);
    expect(people.every(([, days]) => days?.length === 31)).toBe(true);
  });
});

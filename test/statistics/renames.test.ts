import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Question } from '../../src/statistics/questions/questions.ts';
import { deliveryOf, openStatistics, type Statistics } from './support/statistics.ts';

/** Campaigns that get another name. */

afterEach(() => void vi.useRealTimers());

const DAY_MS = 86_400_000;
const clicks = (campaign: string | null, count: number, at = Date.now()) => ({ campaign, clicks: count, at });

async function countOf({ ask }: Statistics, name: string): Promise<number> {
  const subject = { kind: 'campaign', name } as const;
  const [own, filtered] = [await ask({ subject }), await ask({ filters: { campaign: [name] } })];
  const sum = (days: Awaited<ReturnType<typeof ask>>) => days.reduce((all, { humans }) => all + humans, 0);
  expect(sum(filtered)).toBe(sum(own));
  return sum(own);
}

async function namesOf({ ask }: Statistics, question: Partial<Question> = {}): Promise<Record<string, number>> {
  const names: Record<string, number> = {};
  for (const { by } of await ask({ by: ['campaign'], ...question })) {
    for (const { value, humans } of by.campaign ?? []) names[value] = (names[value] ?? 0) + humans;
  }
  return names;
}

describe('a campaign that is renamed', () => {
  it('a campaign that is renamed has its clicks under the new name, folded or not, of all days', async () => {
    const statistics = openStatistics();
    const { stub, fold } = statistics;
    await stub.append(deliveryOf(clicks('spring', 2, Date.now() - 40 * DAY_MS), clicks('other', 5), clicks(null, 1)));
    await fold();
    await stub.append(deliveryOf(clicks('spring', 3)));
    expect(await stub.renameCampaign('spring', 'sommer/2026 ☀️')).toBe(true);
    expect(await countOf(statistics, 'sommer/2026 ☀️')).toBe(5);
    expect(await countOf(statistics, 'spring')).toBe(0);
    expect(await namesOf(statistics)).toEqual({ 'sommer/2026 ☀️': 5, other: 5, '': 1 });
    await fold();
    expect(await namesOf(statistics)).toEqual({ 'sommer/2026 ☀️': 5, other: 5, '': 1 });
    expect(await stub.totals(['sommer/2026 ☀️', 'spring'], 'campaign')).toMatchObject(
      new Map([['sommer/2026 ☀️', { humans: 5 }]]),
    );
  });

  it('a campaign that is renamed gets the clicks that come under the former name for ten minutes, and none later', async () => {
    const statistics = openStatistics();
    const { stub } = statistics;
    await stub.append(deliveryOf(clicks('spring', 1)));
    await stub.renameCampaign('spring', 'summer');
    await stub.append(deliveryOf(clicks('spring', 2)));
    expect(await namesOf(statistics)).toEqual({ summer: 3 });
    vi.setSystemTime(Date.now() + 10 * 60_000);
    await stub.append(deliveryOf(clicks('spring', 4)));
    expect(await namesOf(statistics)).toEqual({ summer: 3, spring: 4 });
  });

  it('a campaign that is renamed removes the names whose ten minutes have ended', async () => {
    const { stub, rows } = openStatistics();
    await stub.append(deliveryOf(clicks('a', 1), clicks('b', 1)));
    await stub.renameCampaign('a', 'c');
    expect(await rows('SELECT former, name FROM renames')).toEqual([{ former: 'a', name: 'c' }]);
    vi.setSystemTime(Date.now() + 10 * 60_000);
    await stub.renameCampaign('b', 'd');
    expect(await rows('SELECT former, name FROM renames')).toEqual([{ former: 'b', name: 'd' }]);
  });

  it('a campaign that is renamed gets its former name again, and takes clicks under either name along', async () => {
    const statistics = openStatistics();
    const { stub } = statistics;
    await stub.append(deliveryOf(clicks('a', 1)));
    for (const [former, name] of [
      ['a', 'b'],
      ['b', 'c'],
    ] as const) {
      expect(await stub.renameCampaign(former, name)).toBe(true);
      await stub.append(deliveryOf(clicks('a', 1)));
    }
    expect(await namesOf(statistics)).toEqual({ c: 3 });
    expect(await stub.renameCampaign('c', 'a')).toBe(true);
    await stub.append(deliveryOf(clicks('a', 1), clicks('b', 1), clicks('c', 1)));
    expect(await namesOf(statistics)).toEqual({ a: 6 });
  });

  it('a campaign that is renamed keeps its clicks where the new name has some, and can be renamed twice with the same words', async () => {
    const statistics = openStatistics();
    const { stub } = statistics;
    await stub.append(deliveryOf(clicks('a', 1), clicks('b', 2)));
    expect(await stub.renameCampaign('a', 'b')).toBe(false);
    expect(await namesOf(statistics)).toEqual({ a: 1, b: 2 });
    expect([await stub.renameCampaign('a', 'c'), await stub.renameCampaign('a', 'c')]).toEqual([true, true]);
    expect(await namesOf(statistics)).toEqual({ b: 2, c: 1 });
  });
});

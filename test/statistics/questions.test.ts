import { describe, expect, it } from 'vitest';
import type { Dimension } from '../../src/statistics/facts.ts';
import type { Filters } from '../../src/statistics/filters.ts';
import { MAX_NEW_WORDS } from '../../src/statistics/words.ts';
import { deliveryOf, openStatistics, TODAY, type TestClick } from './support/statistics.ts';

const pick = <T>(values: readonly T[], seed: number): T => values[seed % values.length]!;

/** Clicks whose properties do not depend on each other. */
const CLICKS: readonly TestClick[] = Array.from({ length: 400 }, (_, i) => ({
  pack: `pack-${i % 7}`,
  link: pick(['link-1', 'link-2', 'link-3'], i),
  campaign: pick([null, 'spring', 'autumn'], Math.floor(i / 3)),
  at: Date.now() - (i % 5) * 86_400_000,
  kind: pick(['human', 'human', 'bot', 'preview'] as const, Math.floor(i / 2)),
  country: pick(['AT', 'DE', null], Math.floor(i / 5)),
  referrer: pick([null, 't.co', 'news.example', '__proto__', 'other'], Math.floor(i / 7)),
  browser: pick(['Firefox', 'Chrome'], Math.floor(i / 11)),
  os: pick(['Linux', 'iOS', null], Math.floor(i / 13)),
  device: pick(['mobile', 'desktop'], Math.floor(i / 17)),
  language: pick(['de', 'en'], Math.floor(i / 19)),
  destination: pick([null, 'variant-b'], Math.floor(i / 23)),
  clicks: 1 + (i % 3),
}));

const fieldOf = (click: TestClick, dimension: Dimension): string => click[dimension] ?? '';

/** What a person would count by hand: humans by value of a dimension, of all days. */
function countBy(dimension: Dimension, filters: Filters, of: (click: TestClick) => boolean = () => true) {
  const { visitor, ...words } = filters;
  const counts: Record<string, number> = Object.create(null);
  for (const click of CLICKS.filter(of)) {
    const isWanted =
      (visitor === undefined || visitor.includes(click.kind!)) &&
      Object.entries(words).every(([name, list]) => list.includes(fieldOf(click, name as Dimension)));
    if (!isWanted) continue;
    const value = fieldOf(click, dimension);
    counts[value] = (counts[value] ?? 0) + click.clicks!;
  }
  return counts;
}

async function openWithClicks() {
  const statistics = openStatistics();
  await statistics.stub.append(deliveryOf(...CLICKS));
  return statistics;
}

type Ask = Awaited<ReturnType<typeof openWithClicks>>['ask'];

async function askBy(ask: Ask, by: Dimension, filters: Filters, subject: Parameters<Ask>[0] = {}) {
  const counts: Record<string, number> = Object.create(null);
  for (const day of await ask({ by: [by], filters, ...subject })) {
    const values = day.by[by]!;
    const sum = values.reduce((all, { humans, bots, previews }) => all + humans + bots + previews, 0);
    expect(sum).toBe(day.humans + day.bots + day.previews);
    for (const { value, humans, bots, previews } of values)
      counts[value] = (counts[value] ?? 0) + humans + bots + previews;
  }
  return counts;
}

describe('a question', () => {
  it.each<Filters>([
    {},
    { country: ['DE'] },
    { country: ['DE', 'AT'], referrer: ['t.co'] },
    { country: [''] },
    { referrer: ['__proto__'], device: ['mobile'], visitor: ['human'] },
    { referrer: ['other'] },
    { visitor: ['bot', 'preview'] },
    { campaign: ['spring'], destination: ['variant-b'] },
    { campaign: [''], browser: ['Chrome'], os: ['Linux', ''], language: ['en'] },
    { country: ['XX'] },
    { country: [] },
  ])('with the filters %j gives what a person would count, folded or not', async (filters) => {
    const { ask, fold } = await openWithClicks();
    const check = async () => {
      for (const by of ['country', 'referrer', 'campaign', 'os'] as const) {
        expect(await askBy(ask, by, filters), by).toEqual(countBy(by, filters));
      }
      const ofLink = { subject: { kind: 'link', name: 'link-2' } } as const;
      const ofCampaign = { subject: { kind: 'campaign', name: 'autumn' } } as const;
      expect(await askBy(ask, 'country', filters, ofLink)).toEqual(
        countBy('country', filters, ({ link }) => link === 'link-2'),
      );
      expect(await askBy(ask, 'device', filters, ofCampaign)).toEqual(
        countBy('device', filters, ({ campaign }) => campaign === 'autumn'),
      );
    };
    await check();
    await fold();
    await check();
  });

  it('is about the days that it names', async () => {
    const { ask } = await openWithClicks();
    expect((await ask({ from: TODAY - 3, to: TODAY - 1 })).map(({ day }) => day)).toEqual([
      TODAY - 3,
      TODAY - 2,
      TODAY - 1,
    ]);
  });

  it('has no answer for a link, a campaign or a client without clicks', async () => {
    const { ask, stub } = openStatistics();
    expect(await ask({ by: ['link', 'country'] })).toEqual([]);
    expect(await ask({ subject: { kind: 'link', name: 'link-1' } })).toEqual([]);
    expect(await ask({ subject: { kind: 'campaign', name: 'spring' }, filters: { country: ['AT'] } })).toEqual([]);
    expect([await stub.totals(['link-1']), await stub.visitors('link-1', TODAY)]).toEqual([new Map(), 0]);
  });

  it('counts visitors once a day, whatever the hour, and programs never', async () => {
    const { stub, fold } = openStatistics();
    const at = Date.now();
    const [one, two] = ['AAAAAAAA', 'AAAAAAAB'];
    await stub.append(
      deliveryOf(
        { marks: one },
        { marks: one + two },
        { marks: 'CCCCCCCC', kind: 'bot' },
        { marks: 'DDDDDDDD', link: 'link-2' },
        { marks: two, at: at - 86_400_000 },
      ),
    );
    const visitors = async () =>
      Promise.all([stub.visitors('link-1', TODAY), stub.visitors('link-2', TODAY), stub.visitors('link-1', TODAY - 1)]);
    expect(await visitors()).toEqual([2, 1, 1]);
    await fold();
    await stub.append(deliveryOf({ marks: two }));
    expect(await visitors()).toEqual([2, 1, 1]);
  });
});

describe('words that visitors choose', () => {
  it('are few a day: the most clicked stay, and the others count as other', async () => {
    const { stub, ask, rows } = openStatistics();
    const limit = MAX_NEW_WORDS.referrer!;
    for (let batch = 0; batch < 4; batch++) {
      const made = Array.from({ length: 2000 }, (_, i) => ({
        link: `link-${batch}-${i % 40}`,
        referrer: `r${batch}-${i}.example`,
      }));
      await stub.append(deliveryOf(...made, { referrer: `popular-${batch}.example`, clicks: 50 }));
    }
    const [{ words } = {}] = await rows('SELECT count(*) AS words FROM words WHERE dimension = 1');
    expect(words).toBe(limit);
    const [today] = await ask({ by: ['referrer'] });
    const clicksOf = (name: string) => today!.by.referrer!.find(({ value }) => value === name)?.humans;
    expect([clicksOf('popular-0.example'), clicksOf('popular-1.example'), clicksOf('popular-2.example')]).toEqual([
      50, 50, 50,
    ]);
    expect(clicksOf('popular-3.example')).toBeUndefined();
    expect(clicksOf('other')).toBeGreaterThan(3000);
    expect(today!.humans).toBe(4 * 2050);
  });
});

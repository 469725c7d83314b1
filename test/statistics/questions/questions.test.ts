import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { Day } from '../../../src/statistics/days/day.ts';
import type { Dimension } from '../../../src/statistics/facts.ts';
import type { Filters } from '../../../src/statistics/questions/filters.ts';
import { readClicks } from '../../../src/statistics/questions/questions.ts';
import { BLOCK_IDS } from '../../../src/statistics/row-ids.ts';
import { BLOCK_DAYS, packBlock } from '../../../src/statistics/days/stored-block.ts';
import { SUMMED } from '../../../src/statistics/days/sums.ts';
import { deliveryOf, openStatistics, TODAY, type TestClick } from '../support/statistics.ts';

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

/** Counts as a person would by hand: humans by value of a dimension, of all days. */
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
  ])('a question about clicks with the filters %j gives what a person would count, folded or not', async (filters) => {
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

  it.each(['a\0b', '\0', '__proto__', 'constructor', '1e5', '0x10', '-0', 'É', 'E\u0301', ' ', "'", '"', '%', '😀'])(
    'a question about clicks takes the word %j as it is',
    async (word) => {
      const { stub, ask, fold } = openStatistics();
      const delivery = () => deliveryOf({ referrer: word, campaign: word, link: word }, { referrer: `${word}x` });
      await stub.append(delivery());
      await stub.append(delivery());
      const two = [{ value: word, humans: 2, bots: 0, previews: 0 }];
      const check = async () => {
        const by = ['referrer', 'campaign', 'link'] as const;
        expect(await ask({ by, filters: { referrer: [word] } })).toMatchObject([
          { by: { referrer: two, campaign: two } },
        ]);
        expect(await ask({ subject: { kind: 'link', name: word } })).toMatchObject([{ humans: 2 }]);
        expect(await ask({ subject: { kind: 'campaign', name: word } })).toMatchObject([{ humans: 2 }]);
        expect([...(await stub.totals([word])).keys()]).toEqual([word]);
      };
      await check();
      await fold();
      await check();
    },
  );

  it('a question about clicks takes words that cannot be stored as the nearest that can', async () => {
    const { stub, ask } = openStatistics();
    for (let time = 0; time < 2; time++)
      await stub.append(deliveryOf({ referrer: 'a\ud800', campaign: '\udc00', link: '\ud800', country: '' }));
    const two = { humans: 2, bots: 0, previews: 0 };
    expect(await ask({ by: ['referrer', 'campaign', 'link', 'country'], filters: {} })).toMatchObject([
      {
        by: {
          referrer: [{ value: 'a\ufffd', ...two }],
          campaign: [{ value: '\ufffd', ...two }],
          link: [{ value: '\ufffd', ...two }],
          country: [{ value: '', ...two }],
        },
      },
    ]);
    expect(await ask({ filters: { country: [''] } })).toMatchObject([two]);
  });

  it('a question about clicks pauses between blocks of days that keep only sums', async () => {
    const { stub, ask } = openStatistics();
    const day: Day = {
      facts: [],
      hasHours: false,
      sums: new Map(SUMMED.map((by) => [by, new Map(Array.from({ length: 200 }, (_, i) => [i + 2, [1, 0, 0]]))])),
    };
    const block = packBlock(new Map(Array.from({ length: BLOCK_DAYS }, (_, place) => [place, day])));
    const last = Math.floor(TODAY / BLOCK_DAYS) - 3;
    const question = { subject: { kind: 'client' }, from: 0, to: TODAY, by: ['country'], filters: {} } as const;
    const pauses = await runInDurableObject(stub, async (_object, { storage: { sql } }) => {
      for (const number of [last - 2, last - 1, last])
        sql.exec('INSERT INTO blocks (id, clicks) VALUES (?1, ?2)', BLOCK_IDS.of(0, number), block);
      let count = 0;
      await readClicks(sql, question, async () => void (count += 1));
      return count;
    });
    expect(pauses).toBeGreaterThanOrEqual(3);
    const [from, to] = [(last - 1) * BLOCK_DAYS - 1, last * BLOCK_DAYS];
    const days = (await ask({ ...question, from, to })).map((each) => each.day);
    expect(days).toEqual(Array.from({ length: BLOCK_DAYS + 2 }, (_, i) => from + i));
  });

  it('a question about clicks is about the days that it names', async () => {
    const { ask } = await openWithClicks();
    expect((await ask({ from: TODAY - 3, to: TODAY - 1 })).map(({ day }) => day)).toEqual([
      TODAY - 3,
      TODAY - 2,
      TODAY - 1,
    ]);
  });

  it('a question about clicks has no result for a link, a campaign or a client without clicks', async () => {
    const { ask, stub } = openStatistics();
    expect(await ask({ by: ['link', 'country'] })).toEqual([]);
    expect(await ask({ subject: { kind: 'link', name: 'link-1' } })).toEqual([]);
    expect(await ask({ subject: { kind: 'campaign', name: 'spring' }, filters: { country: ['AT'] } })).toEqual([]);
    expect([await stub.totals(['link-1']), await stub.visitors('link-1', TODAY)]).toEqual([new Map(), 0]);
  });

  it('a question about clicks counts visitors once a day, whatever the hour, and programs never', async () => {
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

it('sums breakdowns of all days in the last one if asked to, and keeps the hours of each', async () => {
  const { ask } = await openWithClicks();
  const question = { by: ['hour', 'country', 'link'], filters: { visitor: ['human'] } } as const;
  const [each, summed] = [await ask(question), await ask({ ...question, isSummed: true })];
  expect(summed.map((day) => ({ ...day, by: null }))).toEqual(each.map((day) => ({ ...day, by: null })));
  expect(summed.map(({ by }) => by.hour)).toEqual(each.map(({ by }) => by.hour));
  expect(summed.slice(0, -1).map(({ by }) => by.country)).toEqual([[], [], [], []]);
  const countOf = (values: readonly { value: string; humans: number }[], name: string) =>
    values.reduce((sum, { value, humans }) => sum + (value === name ? humans : 0), 0);
  for (const by of ['country', 'link'] as const) {
    const all = each.flatMap((day) => day.by[by] ?? []);
    const last = summed.at(-1)?.by[by] ?? [];
    expect(last.length).toBe(3);
    for (const { value, humans } of last) expect({ value, humans }).toEqual({ value, humans: countOf(all, value) });
  }
});

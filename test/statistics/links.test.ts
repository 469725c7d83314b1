import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { foldDeliveries } from '../../src/statistics/days/fold-deliveries.ts';
import { readByLink, type LinkQuestion } from '../../src/statistics/questions/link-question.ts';
import { purgeLinks } from '../../src/statistics/purge.ts';
import type { RankCursor, RankedBy } from '../../src/statistics/questions/ranking.ts';
import { deliveryOf, openStatistics, TODAY, type Statistics, type TestClick } from './support/statistics.ts';

const MINUTE = 60_000;

/** Twenty links; of each five, some have as many clicks, and some the same last click. */
const CLICKS: readonly TestClick[] = Array.from({ length: 20 }, (_, i) => ({
  link: `link-${i}`,
  clicks: 1 + (i % 5),
  at: Date.now() - (i % 4) * MINUTE,
  country: i % 2 ? 'AT' : 'DE',
}));

async function readAll({ stub }: Statistics, by: RankedBy, limit: number) {
  const links = [];
  let after: RankCursor | null = null;
  do {
    const page = await stub.rank(by, after, limit);
    links.push(...page.links);
    after = page.next;
  } while (after !== null);
  return links;
}

const totalOf = ({ humans, bots, previews }: { humans: number; bots: number; previews: number }) =>
  humans + bots + previews;

describe('the links of a client', () => {
  it.each(['clicks', 'humans', 'last_click'] as const)(
    'the links of a client come by %s, page after page, each once, folded or not',
    async (by) => {
      const statistics = openStatistics();
      const { stub, fold } = statistics;
      await stub.append(deliveryOf(...CLICKS));
      const check = async (more: readonly TestClick[]) => {
        const links = await readAll(statistics, by, 3);
        const wanted = new Map<string, number>();
        for (const { link = '', clicks = 1 } of [...CLICKS, ...more])
          wanted.set(link, (wanted.get(link) ?? 0) + clicks);
        expect(new Map(links.map((link) => [link.id, totalOf(link)]))).toEqual(wanted);
        expect(links).toHaveLength(wanted.size);
        const values = links.map(
          (link) => ({ clicks: totalOf(link), humans: link.humans, last_click: link.lastAt })[by],
        );
        expect(values).toEqual(values.toSorted((a, b) => b - a));
      };
      await check([]);
      await fold();
      await check([]);
      // Some have new clicks that are not folded yet, and one is new.
      const more = [{ link: 'link-0', clicks: 9, at: Date.now() + MINUTE, kind: 'bot' as const }, { link: 'link-20' }];
      await stub.append(deliveryOf(...more));
      await check(more);
      await fold();
      await check(more);
    },
  );

  it('the links of a client have no page without clicks', async () => {
    expect(await openStatistics().stub.rank('clicks', null, 10)).toEqual({ links: [], next: null });
  });

  it('the links of a client come by people without those that only bots and previews have opened, folded or not', async () => {
    const statistics = openStatistics();
    const { stub, fold } = statistics;
    await stub.append(
      deliveryOf(
        { link: 'a', clicks: 2 },
        { link: 'a', clicks: 9, kind: 'bot' },
        { link: 'b', clicks: 3 },
        { link: 'c', clicks: 20, kind: 'preview' },
      ),
    );
    const ranked = async (by: RankedBy) => (await readAll(statistics, by, 1)).map(({ id, humans }) => [id, humans]);
    const check = async () => {
      expect(await ranked('humans')).toEqual([
        ['b', 3],
        ['a', 2],
      ]);
      expect((await ranked('clicks')).map(([id]) => id)).toEqual(['c', 'a', 'b']);
    };
    await check();
    await fold();
    await check();
    // Clicks of bots that are not folded yet move nothing.
    await stub.append(deliveryOf({ link: 'a', clicks: 5, kind: 'bot' }, { link: 'c', kind: 'bot' }));
    await check();
  });

  it('the links of a client are asked all at once, with filters', async () => {
    const { stub, fold } = openStatistics();
    await stub.append(deliveryOf(...CLICKS));
    const question = { from: TODAY - 1, to: TODAY, filters: { country: ['AT'] } };
    const expected = CLICKS.filter(({ country }) => country === 'AT').map(({ link, clicks }) => [link, clicks]);
    const clicksByLink = async () => (await stub.askByLink(question)).map(({ value, humans }) => [value, humans]);
    expect(await clicksByLink()).toEqual(expected);
    await fold();
    expect(await clicksByLink()).toEqual(expected);
    await stub.append(deliveryOf({ link: 'link-1', country: 'AT' }));
    expect((await clicksByLink()).find(([link]) => link === 'link-1')).toEqual(['link-1', 3]);
    expect(await stub.askByLink({ ...question, filters: { visitor: ['bot'] } })).toEqual([]);
  });
});

/** Asks a question by link. Returns its result, and the number of its pauses. */
async function askWithPauses({ stub }: Statistics, question: LinkQuestion, most?: number) {
  return runInDurableObject(stub, async (_object, { storage: { sql } }) => {
    let pauses = 0;
    const links = await readByLink(sql, question, async () => void (pauses += 1), most);
    return { pauses, links: links.map(({ value, humans }) => [value, humans]) };
  });
}

describe('a question by link', () => {
  it('a question by link pauses while it reads many facts of a link, and while it reads many links without any', async () => {
    const statistics = openStatistics();
    const { stub, fold } = statistics;
    const clicksOf = (link: string, days: number) =>
      Array.from({ length: days * 1500 }, (_, i) => ({
        link,
        at: Date.now() - (i % days) * 86_400_000,
        referrer: `r${Math.floor(i / days) % 190}.example`,
        language: `l${Math.floor(i / days / 190)}`,
        clicks: 1,
      }));
    await stub.append(deliveryOf(...clicksOf('busy-1', 20)));
    await stub.append(deliveryOf(...clicksOf('busy-2', 20)));
    await fold();
    const range = { from: TODAY - 30, to: TODAY, filters: { browser: ['Firefox'] } };
    const named = await askWithPauses(statistics, { ...range, links: ['busy-1', 'busy-2'] });
    expect(named.links).toEqual([
      ['busy-1', 30_000],
      ['busy-2', 30_000],
    ]);
    expect(named.pauses).toBeGreaterThanOrEqual(2);
    await stub.append(deliveryOf(...Array.from({ length: 1000 }, (_, i) => ({ link: `link-${i}` }))));
    await fold();
    const empty = await askWithPauses(statistics, { ...range, from: TODAY - 30, to: TODAY - 25 });
    expect(empty.links).toEqual([]);
    expect(empty.pauses).toBeGreaterThanOrEqual(5);
  });

  it('a question by link names the links with most clicks, as many as one response has, and adds up the others', async () => {
    const statistics = openStatistics();
    const clicks = [3, 1, 9, 2, 7, 1, 8, 1, 1, 4].map((count, i) => ({ link: `link-${i}`, clicks: count }));
    await statistics.stub.append(deliveryOf(...clicks, { link: 'link-2', kind: 'bot' as const }));
    const range = { from: TODAY, to: TODAY, filters: {} };
    expect((await askWithPauses(statistics, range, 3)).links).toEqual([
      ['link-2', 9],
      ['link-6', 8],
      ['link-4', 7],
      ['other', 13],
    ]);
    expect((await askWithPauses(statistics, range, 10)).links).toHaveLength(10);
  });
});

/** All that the tables of an object hold, as text. */
function readEverything({ stub }: Statistics): Promise<string> {
  return runInDurableObject(stub, (_object, { storage }) => {
    const tables = [
      ...storage.sql.exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'`,
      ),
    ];
    const rows = tables.flatMap(({ name }) => [...storage.sql.exec(`SELECT '${name}' AS "table", * FROM ${name}`)]);
    return rows
      .map((row) =>
        JSON.stringify(row, (_, value) =>
          value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : value,
        ),
      )
      .join('\n');
  });
}

describe('what is removed', () => {
  it('the removal of a link removes all except its part of the client’s sums', async () => {
    const statistics = openStatistics();
    const { stub, ask, fold, rows } = statistics;
    await stub.append(deliveryOf({ link: 'secret-link', marks: 'AAAAAAAA' }, { link: 'other-link', country: 'DE' }));
    await fold();
    await stub.append(deliveryOf({ link: 'secret-link', clicks: 4 }));
    await stub.purge(['secret-link', 'never-clicked']);
    await fold();
    expect(await readEverything(statistics)).not.toContain('secret-link');
    expect(await readEverything(statistics)).not.toContain('never-clicked');
    expect([...(await stub.totals(['secret-link', 'other-link']))]).toMatchObject([['other-link', { humans: 1 }]]);
    expect(await rows('SELECT id FROM days')).toHaveLength(2);
    expect(await rows('SELECT * FROM visitor_marks')).toEqual([]);
    const [today] = await ask({ by: ['link', 'country'] });
    expect(today).toMatchObject({
      humans: 6,
      by: {
        link: [
          { value: 'other', humans: 5 },
          { value: 'other-link', humans: 1 },
        ],
      },
    });
  });

  it('the removal of a link waits for clicks that come meanwhile', async () => {
    const statistics = openStatistics();
    const { stub, fold, ask } = statistics;
    await stub.append(deliveryOf({ link: 'secret-link' }));
    await stub.purge(['secret-link']);
    await runInDurableObject(stub, async (_object, { storage }) => {
      await foldDeliveries(storage, async () => {}, 0);
    });
    await stub.append(deliveryOf({ link: 'secret-link' }));
    await runInDurableObject(stub, async (_object, { storage }) => purgeLinks(storage, async () => {}));
    expect(await statistics.rows('SELECT link FROM purges')).toEqual([{ link: 'secret-link' }]);
    await stub.append(deliveryOf({ link: 'new-link' }));
    await fold();
    expect(await readEverything(statistics)).not.toContain('secret-link');
    expect((await ask({ subject: { kind: 'link', name: 'new-link' } })).map(({ humans }) => humans)).toEqual([1]);
    expect((await ask()).map(({ humans }) => humans)).toEqual([3]);
  });

  it('the removal of a link is not counted for the next one', async () => {
    const { stub, ask, fold } = openStatistics();
    await stub.append(deliveryOf({ link: 'old', clicks: 7 }));
    await fold();
    await stub.purge(['old', 'never-clicked']);
    await fold();
    await stub.append(deliveryOf({ link: 'new' }, { link: 'newer' }));
    const [day] = await ask({ by: ['link'] });
    expect(day?.by.link).toEqual([
      { value: 'other', humans: 7, bots: 0, previews: 0 },
      { value: 'new', humans: 1, bots: 0, previews: 0 },
      { value: 'newer', humans: 1, bots: 0, previews: 0 },
    ]);
  });

  it('the removal of a client removes everything, and what is under way writes nothing more', async () => {
    const statistics = openStatistics();
    const { stub, ask } = statistics;
    const many = Array.from({ length: 1500 }, (_, i) => ({
      link: `link-${i}`,
      referrer: 'secret.example',
      campaign: 'secret',
    }));
    const delivery = deliveryOf(...many);
    await stub.append(delivery);
    await statistics.age();
    const empty = await readEverything(openStatistics());
    await runInDurableObject(stub, async (object) => {
      const working = object.alarm();
      await scheduler.wait(0);
      await object.erase();
      await working;
    });
    // When it was erased, for which webhooks are asked for again, is all that is added.
    const left = (await readEverything(statistics)).split('\n').filter((row) => !row.includes('"click_webhooks_at"'));
    expect(left.join('\n')).toBe(empty);
    expect(await runInDurableObject(stub, (_object, { storage }) => storage.getAlarm())).toBeNull();
    expect(await ask()).toEqual([]);
    await stub.append(delivery);
    expect((await ask()).map(({ humans }) => humans)).toEqual([1500]);
  });

  it('the removal of a client leaves an alarm for what comes right afterwards', async () => {
    const { stub, ask, age } = openStatistics();
    await stub.append(deliveryOf(...Array.from({ length: 1500 }, (_, i) => ({ link: `link-${i}` }))));
    await age();
    const alarm = await runInDurableObject(stub, async (object, { storage }) => {
      const working = object.alarm();
      await scheduler.wait(0);
      await object.erase();
      await object.append(deliveryOf({}));
      await working;
      return storage.getAlarm();
    });
    expect(alarm).not.toBeNull();
    expect((await ask()).map(({ humans }) => humans)).toEqual([1]);
  });
});

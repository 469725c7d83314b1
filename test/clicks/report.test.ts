import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getReport, type ReportQuery } from '../../src/clicks/report.ts';
import type { StatsSubject } from '../../src/clicks/days.ts';
import type { Filters } from '../../src/statistics/questions/filters.ts';
import { MAX_VALUES } from '../../src/statistics/days/sums.ts';
import { CHROME, deliver, GOOGLEBOT, packOf, SLACK } from '../support/clicks.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { openCredential } from '../support/platform.ts';
import { db, seedLink, statistics } from '../support/seed.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function reportOf(caller: Caller, asked: Partial<ReportQuery> = {}, opened = openCredential(caller)) {
  const query = {
    from: '2026-05-14',
    to: '2026-05-20',
    tz: 'UTC',
    filters: {},
    unit: 'day',
    isCompared: false,
  } as const;
  return getReport(
    { db, statistics },
    await opened,
    { kind: 'client' },
    {
      ...query,
      client_id: caller.clientId,
      by: ['link', 'country'],
      ...asked,
    },
  );
}

it('gives the most clicked links of a client, of any campaign, by kind of visitor', async () => {
  const caller = await seedCaller();
  const [one, two] = [await seedLink(caller), await seedLink(caller, { campaign_name: 'Spring' })];
  const agents = (list: readonly string[]) => list.map((userAgent) => ({ userAgent, country: 'AT' }));
  await deliver([packOf(one, agents([CHROME, GOOGLEBOT])), packOf(two, agents([CHROME, CHROME, SLACK]))]);
  await deliver([packOf(two, agents([CHROME, GOOGLEBOT]))]);
  const { by, ...rest } = await reportOf(caller);
  expect(by).toEqual({
    link: [
      { key: two.id, total: 5, humans: 3, bots: 1, previews: 1 },
      { key: one.id, total: 2, humans: 1, bots: 1, previews: 0 },
    ],
    country: [{ key: 'AT', total: 7, humans: 4, bots: 2, previews: 1 }],
  });
  expect(rest).toMatchObject({ tz: 'UTC', total: 7, humans: 4, bots: 2, previews: 1 });
  expect(rest.rows.map(({ key, total }) => [key, total])).toEqual([
    ['2026-05-14', 0],
    ['2026-05-15', 0],
    ['2026-05-16', 0],
    ['2026-05-17', 0],
    ['2026-05-18', 0],
    ['2026-05-19', 0],
    ['2026-05-20', 7],
  ]);
});

it('lists a number of links of a day, and the rest as others', async () => {
  const caller = await seedCaller();
  const link = await seedLink(caller);
  const many = Array.from({ length: MAX_VALUES + 20 }, (_, i) => packOf({ ...link, id: `many-${i}` }, 1));
  await deliver(many);
  const { link: links = [] } = (await reportOf(caller)).by;
  expect(links.at(-1)).toEqual({ key: 'other', total: 20, humans: 20, bots: 0, previews: 0 });
  expect(links).toHaveLength(MAX_VALUES + 1);
});

it('ranks the links of a campaign, and of some links, by what their clicks match', async () => {
  const caller = await seedCaller();
  const [one, two] = [await seedLink(caller, { campaign_name: 'Spring' }), await seedLink(caller)];
  const [at, de] = [{ country: 'AT' }, { country: 'DE' }];
  await deliver([packOf({ ...one, campaign_name: 'Spring' }, [at, de, de]), packOf(two, [de, at])]);
  const query = {
    from: '2026-05-14',
    to: '2026-05-20',
    tz: 'Europe/Vienna',
    client_id: caller.clientId,
    unit: 'day',
    by: ['link', 'country'],
    isCompared: false,
  } as const;
  const credential = await openCredential(caller);
  const report = (subject: StatsSubject, filters: Filters) =>
    getReport({ db, statistics }, credential, subject, { ...query, filters });
  const row = (key: string, clicks: number) => ({ key, total: clicks, humans: clicks, bots: 0, previews: 0 });
  const campaign = await report({ kind: 'campaign', name: 'Spring' }, {});
  expect(campaign.by).toEqual({ link: [row(one.id, 3)], country: [row('DE', 2), row('AT', 1)] });
  expect((await report({ kind: 'campaign', name: 'Spring' }, { country: ['DE'] })).by.link).toEqual([row(one.id, 2)]);
  const both = await report({ kind: 'links', names: [one.id, two.id] }, { country: ['AT'] });
  expect([both.total, both.by.link?.map(({ total }) => total)]).toEqual([2, [1, 1]]);
  expect((await report({ kind: 'client' }, { campaign: ['Spring'], country: ['AT'] })).by.link).toEqual([
    row(one.id, 1),
  ]);
});

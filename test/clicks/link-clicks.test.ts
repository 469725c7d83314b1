import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClicksAndVisitors } from '../../src/statistics/questions/questions.ts';
import { CHROME, deliver, FIREFOX, follow, GOOGLEBOT, holdQueue } from '../support/clicks.ts';
import { replaceInObjects } from '../support/objects.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { ask, foldClicks, seedClicks } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A link with clicks of some days, folded ones and others. */
async function seed() {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  await seedClicks(link, [
    { at: '2026-03-01T10:00:00Z' },
    { at: '2026-05-19T10:00:00Z', agent: GOOGLEBOT },
    { at: '2026-05-20T10:00:00Z' },
  ]);
  await foldClicks(tenant.clientId);
  const held = holdQueue();
  for (const agent of [CHROME, CHROME, FIREFOX])
    await follow(link, { 'CF-Connecting-IP': '198.51.100.1', 'User-Agent': agent });
  await deliver(held);
  const clicks = async () => (await ask(tenant, `/v1/links/${link.id}`)).body['clicks'];
  return { tenant, clicks, clicksOf: async (id: string) => (await ask(tenant, `/v1/links/${id}`)).body['clicks'] };
}

/** The methods of objects that are called from now on. */
function recordCalls(): string[] {
  const called: string[] = [];
  const getByName = env.STATISTICS.getByName.bind(env.STATISTICS);
  vi.spyOn(env.STATISTICS, 'getByName').mockImplementation(
    (name) =>
      new Proxy(getByName(name), {
        get: (target, property) => {
          called.push(String(property));
          return Reflect.get(target, property) as unknown;
        },
      }),
  );
  return called;
}

it('the clicks of a link come with one question to its object', async () => {
  const { tenant, clicks, clicksOf } = await seed();
  const unclicked = await seedLink(tenant);
  const called = recordCalls();
  expect(await clicks()).toMatchObject({ total: 6, humans: 5, bots: 1, previews: 0, visitors_today: 2 });
  expect(await clicksOf(unclicked.id)).toMatchObject({ total: 0, visitors_today: 0, last_at: null });
  expect(called).toEqual(['ask', 'ask']);
});

it.each([
  ['the clicks and the visitors', ({ days, visitors }: ClicksAndVisitors) => ({ days, visitors })],
  ['the days alone', ({ days }: ClicksAndVisitors) => days],
])('the clicks of a link are the same from an object of a version before, which gives %s', async (_, before) => {
  const { clicks } = await seed();
  const now = await clicks();
  replaceInObjects(
    'ask',
    (call) =>
      async (...args) =>
        before((await call(...args)) as ClicksAndVisitors),
  );
  expect(await clicks()).toEqual(now);
});

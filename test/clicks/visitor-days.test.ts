import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Question } from '../../src/statistics/questions/questions.ts';
import { CHROME, deliver, FIREFOX, follow, holdQueue } from '../support/clicks.ts';
import { carryClicks } from '../support/carried-clicks.ts';
import { replaceInObjects } from '../support/objects.ts';
import { seedLink, seedTenant, type LinkRecord } from '../support/seed.ts';
import { ask, foldClicks } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Clicks of people with other programs, at one address. */
async function visit(link: LinkRecord, ...userAgents: string[]): Promise<void> {
  const held = holdQueue();
  for (const userAgent of userAgents) {
    await follow(link, { 'CF-Connecting-IP': '198.51.100.1', 'User-Agent': userAgent });
  }
  await deliver(held);
  vi.restoreAllMocks();
}

async function seed() {
  const tenant = await seedTenant();
  const link = await seedLink(tenant, { campaign_name: 'spring' });
  const visitorsOf = async (path: string) => (await ask(tenant, path)).body['visitors'];
  return { tenant, link, visitorsOf };
}

function withoutVisitors(question: Question): never {
  const { visitors: _visitors, ...rest } = question;
  return rest as never;
}

const RANGE = 'from=2026-05-20&to=2026-05-22';

describe('the visitors of statistics', () => {
  it('the visitors of statistics are people a day, summed, for a link and for its client', async () => {
    const { tenant, link, visitorsOf } = await seed();
    await visit(link, CHROME, CHROME, FIREFOX);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    await visit(link, CHROME);
    await foldClicks(tenant.clientId);
    const visitors = { total: 3, from: '2026-05-20', to: '2026-05-21' };
    expect(await visitorsOf(`/v1/links/${link.id}/stats?${RANGE}`)).toEqual(visitors);
    expect(await visitorsOf(`/v1/stats?${RANGE}&by=country&tz=Asia/Tokyo`)).toEqual(visitors);
    const second = await seedLink(tenant);
    await visit(second, CHROME);
    expect(await visitorsOf(`/v1/stats?${RANGE}`)).toEqual({ ...visitors, total: 4 });
    expect(await visitorsOf(`/v1/links/${link.id}/stats?${RANGE}`)).toEqual(visitors);
  });

  it('the visitors of statistics are those of the days that a range is compared with, too', async () => {
    const { tenant, link } = await seed();
    await visit(link, CHROME, FIREFOX);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    await visit(link, CHROME);
    const { body } = await ask(tenant, '/v1/stats?from=2026-05-21&to=2026-05-21&compare=previous');
    expect(body).toMatchObject({ visitors: { total: 1 }, compare: { visitors: { total: 2, from: '2026-05-20' } } });
  });

  it('visitors are asked for with the clicks, and are null while an object of the version before gives those alone', async () => {
    const { tenant, link } = await seed();
    await visit(link, CHROME, FIREFOX);
    const path = `/v1/links/${link.id}/stats?${RANGE}`;
    const { body } = await ask(tenant, path);
    const asked = replaceInObjects('visitorDays', (call) => call, tenant.clientId);
    expect((await ask(tenant, path)).body).toEqual(body);
    expect(asked).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
    replaceInObjects('ask', (call) => async (question, caller) => call(withoutVisitors(question), caller));
    expect((await ask(tenant, path)).body).toEqual({ ...body, visitors: null });
  });

  it('the visitors of statistics are null with a filter, and for campaigns, tags and several links', async () => {
    const { link, visitorsOf } = await seed();
    await visit(link, CHROME);
    for (const query of ['visitor=human', 'country=DE', 'campaign_name=spring', `link=${link.id}`]) {
      expect(await visitorsOf(`/v1/stats?${query}`), query).toBeNull();
    }
    expect(await visitorsOf('/v1/campaigns/spring/stats')).toBeNull();
  });

  it('the visitors of statistics are null for days to come, and begin after the days that were carried from version 1.2.0', async () => {
    const { link, visitorsOf } = await seed();
    await carryClicks(link, { days: 3, humans: 5, bots: 0 });
    vi.setSystemTime('2026-05-21T12:00:00Z');
    await visit(link, CHROME);
    const known = { total: 1, from: '2026-05-21', to: '2026-05-21' };
    for (const path of ['/v1/stats', `/v1/links/${link.id}/stats`]) {
      expect(await visitorsOf(path), path).toEqual(known);
      expect(await visitorsOf(`${path}?from=2026-05-18&to=2026-05-20`), path).toBeNull();
      expect(await visitorsOf(`${path}?from=2026-05-22&to=2026-05-24`), path).toBeNull();
    }
  });

  it('the visitors of statistics leave out people who ask not to be tracked', async () => {
    const { link, visitorsOf } = await seed();
    const held = holdQueue();
    await follow(link, { 'CF-Connecting-IP': '198.51.100.1', 'User-Agent': CHROME, DNT: '1' });
    await deliver(held);
    expect(await visitorsOf(`/v1/stats?${RANGE}`)).toMatchObject({ total: 0 });
  });
});

import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { DAY_MS } from '../../src/time/day.ts';
import { readObject } from '../support/all-rows.ts';
import { CHROME, deliver, logged, packOf } from '../support/clicks.ts';
import { bearerOf, seedCaller } from '../support/forms.ts';
import { carryClicks } from '../support/carried-clicks.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { rowsOf, seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask, everyRowOfObject, foldClicks } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const cleanUp = () => worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);

/** A tenant with a link that is deleted and one that stays, both clicked, also before version 1.3.0. */
async function seed() {
  const tenant = await seedTenant();
  const [deleted, kept] = [await seedLink(tenant), await seedLink(tenant)];
  await deliver([packOf(deleted, 3), packOf(kept, 4)]);
  await carryClicks(deleted, { days: 1, humans: 5, bots: 0 });
  await call(`/v1/links/${deleted.id}`, { method: 'DELETE', headers: { 'X-API-Key': tenant.apiKey } });
  const urlOf = async () => (await rowsOf('links')).find(({ id }) => id === deleted.id)?.['url'];
  return { tenant, deleted, kept, urlOf };
}

describe('a link that was deleted 30 days ago', () => {
  it('a link that was deleted 30 days ago leaves no click in its name, and the client keeps their number', async () => {
    const { tenant, deleted, kept, urlOf } = await seed();
    vi.setSystemTime(Date.now() + 30 * DAY_MS - 1);
    await cleanUp();
    await foldClicks(tenant.clientId);
    expect([await urlOf(), await everyRowOfObject(tenant.clientId)]).toEqual([
      deleted.url,
      expect.stringContaining(deleted.id),
    ]);
    vi.setSystemTime(Date.now() + 1);
    await cleanUp();
    await foldClicks(tenant.clientId);
    expect(await urlOf()).toBe('');
    expect(await everyRowOfObject(tenant.clientId)).not.toContain(deleted.id);
    const { body } = await ask(tenant, '/v1/stats?by=link&from=2026-05-01&to=2026-05-31');
    expect(body).toMatchObject({
      total: 12,
      rows: [
        { key: 'other', total: 8 },
        { key: kept.id, total: 4 },
      ],
    });
  });

  it('a link that was deleted 30 days ago leaves no count of its limit, also if it had one since its creation and was deleted with its domain', async () => {
    const tenant = await seedCaller();
    const host = await seedDomain(tenant);
    const { id } = await seedLink(tenant, { custom_domain: host, max_clicks: '5' });
    await call(`https://${host}/${id}`, { headers: { 'User-Agent': CHROME } });
    expect((await readObject('LIMITS', id))['period']).toHaveLength(1);
    const domain = (await rowsOf('domains')).find((row) => row['host'] === host);
    const headers = bearerOf(tenant);
    expect(
      (
        await call(`/v1/domains/${String(domain?.['id'])}?force=true&client_id=${tenant.clientId}`, {
          method: 'DELETE',
          headers,
        })
      ).status,
    ).toBe(204);
    vi.setSystemTime(Date.now() + 30 * DAY_MS);
    await cleanUp();
    expect(await readObject('LIMITS', id)).toEqual(await readObject('LIMITS', 'a new link'));
  });

  it('a link that was deleted 30 days ago keeps its content until its clicks can be removed, and holds up no other client', async () => {
    const [one, other] = [await seed(), await seed()];
    vi.setSystemTime(Date.now() + 30 * DAY_MS);
    const objects = replaceInObjects('purge', () => () => Promise.reject(OBJECT_FAILURE), one.tenant.clientId);
    const problems = logged();
    await expect(cleanUp()).rejects.toThrow(OBJECT_FAILURE.message);
    expect(problems().map(({ event, client_id }) => [event, client_id])).toContainEqual([
      'links_not_removed',
      one.tenant.clientId,
    ]);
    expect([await one.urlOf(), await other.urlOf()]).toEqual([one.deleted.url, '']);
    objects.mockRestore();
    await cleanUp();
    expect(await one.urlOf()).toBe('');
  });
});

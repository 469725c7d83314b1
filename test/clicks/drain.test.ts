import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { IsolateClicks } from '../../src/app/clicks.ts';
import { openCore } from '../../src/app/core.ts';
import { WorkUnderWay } from '../../src/app/work-under-way.ts';
import { parseConfig } from '../../src/config/config.ts';
import { CHROME, clicksIn, holdQueue, logged, packsOf } from '../support/clicks.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';

afterEach(() => vi.restoreAllMocks());

/** An isolate that gathers clicks for ten seconds, and does not wait for what it has deferred. */
function openGathering() {
  const app = createApp(parseConfig({ ...env, CLICK_PACK_SECONDS: '10' }));
  return {
    app,
    visit: async (slug: string, headers: Readonly<Record<string, string>> = { 'User-Agent': CHROME }) => {
      const request = new Request(`${ORIGIN}/${slug}`, { redirect: 'manual', headers });
      expect((await app.fetch(request, env, createExecutionContext())).status).toBe(302);
    },
  };
}

describe('a process that ends', () => {
  it('a process that ends sends the clicks that have gathered, also those that come meanwhile, and loses none', async () => {
    const link = await seedLink(await seedTenant());
    const held = holdQueue();
    const { app, visit } = openGathering();
    for (let i = 0; i < 3; i++) await visit(link.id);
    const draining = app.drain(env, 60_000);
    await visit(link.id);
    expect(await draining).toEqual({ lostClicks: 0 });
    expect(clicksIn(packsOf(held, link.id))).toBe(4);
    expect(await app.drain(env, 60_000)).toEqual({ lostClicks: 0 });
    expect(clicksIn(packsOf(held, link.id))).toBe(4);
  });

  it('a process that ends says how many clicks it could not store in its time', async () => {
    const link = await seedLink(await seedTenant());
    const { app, visit } = openGathering();
    vi.spyOn(env.CLICKS, 'send').mockImplementation(() => new Promise(() => undefined));
    vi.spyOn(env.STATISTICS, 'getByName').mockImplementation(() => {
      throw new Error('Network connection lost.');
    });
    logged();
    for (let i = 0; i < 3; i++) await visit(link.id);
    expect(await app.drain(env, 300)).toEqual({ lostClicks: 3 });
  });

  it('clicks whose sender cannot be loaded are logged by their number, and the next ones are sent', async () => {
    const link = await seedLink(await seedTenant());
    const held = holdQueue();
    const core = openCore(parseConfig({ ...env, CLICK_PACK_SECONDS: '10' }));
    const clicks = new IsolateClicks(core, new WorkUnderWay());
    vi.spyOn(clicks.sender, 'load').mockRejectedValueOnce(new Error('the module cannot be loaded'));
    const lines = logged();
    const click = {
      linkId: link.id,
      clientId: link.client_id,
      campaignName: null,
      destination: null,
      at: Date.now(),
      country: null,
      referrer: null,
      userAgent: CHROME,
      languages: null,
      address: null,
    };
    clicks.add(click, env, () => undefined);
    expect(await clicks.drain(env, 60_000)).toEqual({ lostClicks: 1 });
    expect(lines()).toContainEqual(expect.objectContaining({ event: 'clicks_lost', clicks: 1 }));
    clicks.add(click, env, () => undefined);
    expect(await clicks.drain(env, 60_000)).toEqual({ lostClicks: 0 });
    expect(clicksIn(packsOf(held, link.id))).toBe(1);
  });
});

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { WRITE_MS } from '../../src/statistics/append/direct.ts';
import { parseConfig } from '../../src/config/config.ts';
import { CHROME, clicksIn, clicksOf, deliver, holdQueue, logged, packsOf, refuseQueue } from '../support/clicks.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { seedLink, seedTenant, type LinkRecord, type Tenant } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';
import { addWebhook, eventRowsOf } from '../support/webhooks.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A client with a link, and how many clicks of it are counted. */
async function seed(isKnown = true) {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  if (isKnown) await allow(tenant);
  return { tenant, link, total: async () => (await clicksOf(tenant, link)).total };
}

/** Notes that a client has no webhook for clicks, as the consumer does. */
const allow = ({ clientId }: Tenant) => env.STATISTICS.getByName(clientId).excludeClickWebhooks(Date.now());

/** An isolate that remembers links; each call resolves when the clicks of all its visits are sent. */
async function openIsolate(links: readonly LinkRecord[], settings: Readonly<Record<string, string>> = {}) {
  const app = createApp(parseConfig({ ...env, CLICK_PACK_SECONDS: '1', ...settings }));
  const visit = async (slugs: readonly string[], method = 'GET') => {
    const contexts = slugs.map(() => createExecutionContext());
    for (const [index, slug] of slugs.entries()) {
      const request = new Request(`${ORIGIN}/${slug}`, {
        method,
        headers: { 'User-Agent': CHROME },
        redirect: 'manual',
      });
      expect((await app.fetch(request, env, contexts[index]!)).status).toBe(302);
    }
    for (const ctx of contexts) await waitOnExecutionContext(ctx);
  };
  await visit(
    links.map(({ id }) => id),
    'HEAD',
  );
  return { click: (...clicked: readonly LinkRecord[]) => visit(clicked.map(({ id }) => id)) };
}

const DIRECT = { CLICKS_DIRECT: 'on' };

describe('a pack of one or two clients', () => {
  it('a pack of one or two clients goes straight to their objects, without a query of the database', async () => {
    const [one, two] = [await seed(), await seed()];
    const { click } = await openIsolate([one.link, two.link]);
    const held = holdQueue();
    const prepare = vi.spyOn(env.DB, 'prepare');
    // The first is sent by itself, the others together.
    await click(one.link, one.link, two.link, two.link);
    expect(prepare).not.toHaveBeenCalled();
    expect(held).toEqual([]);
    expect([await one.total(), await two.total()]).toEqual([2, 2]);
  });

  it('a pack of one or two clients takes the queue at first, until its consumer has found no webhook for clicks', async () => {
    const { link, total } = await seed(false);
    const held = holdQueue();
    await (await openIsolate([link])).click(link);
    expect([clicksIn(held), await total()]).toEqual([1, 0]);
    await deliver(held);
    await (await openIsolate([link])).click(link);
    expect([clicksIn(held), await total()]).toEqual([1, 2]);
  });
});

it('a pack of three clients takes the queue, as one message', async () => {
  const seeds = [await seed(), await seed(), await seed()];
  const links = seeds.map(({ link }) => link);
  const { click } = await openIsolate(links);
  const held = holdQueue();
  await click(links[0]!, ...links);
  expect(held.map(({ links: packed }) => packed.length)).toEqual([3]);
  expect(await seeds[0]!.total()).toBe(1);
});

describe('a client whose object fails', () => {
  it.each([
    ['before it has stored the clicks', false],
    ['after it has stored them', true],
  ])(
    'a client whose object fails has its clicks in the queue for a minute or two, and counted once: %s',
    async (_, isStored) => {
      const { tenant, link, total } = await seed();
      const { click } = await openIsolate([link]);
      const held = holdQueue();
      const problems = logged();
      let calls = 0;
      replaceInObjects('offer', (offer) => async (...args) => {
        calls += 1;
        if (calls > 1) return offer(...args);
        if (isStored) await offer(...args);
        throw OBJECT_FAILURE;
      });
      await click(link);
      expect(problems()).toMatchObject([{ event: 'click_object_failed', client_id: tenant.clientId }]);
      const now = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now: now + 59_000 });
      await click(link);
      expect([calls, clicksIn(packsOf(held, link.id))]).toEqual([1, 2]);
      vi.setSystemTime(now + 125_000);
      await click(link);
      expect([calls, clicksIn(packsOf(held, link.id))]).toEqual([2, 2]);
      await deliver(held);
      await deliver(held);
      expect(await total()).toBe(3);
    },
  );

  it('a client whose object fails is not in the way of the other one of its pack', async () => {
    const [one, two] = [await seed(), await seed()];
    const { click } = await openIsolate([one.link, two.link]);
    const held = holdQueue();
    logged();
    replaceInObjects('offer', () => () => Promise.reject(OBJECT_FAILURE), one.tenant.clientId);
    await click(two.link, one.link, two.link);
    expect(packsOf(held, one.link.id)).toMatchObject([{ links: [[one.link.id, one.tenant.clientId, null]] }]);
    expect(await two.total()).toBe(2);
  });
});

it('a client with more than five appends in ten seconds has its clicks in the queue', async () => {
  const { link, total } = await seed();
  const held = holdQueue();
  for (let n = 0; n < 5; n++) await (await openIsolate([link])).click(link);
  const { click } = await openIsolate([link]);
  await click(link);
  expect([clicksIn(held), await total()]).toEqual([0, 6]);
  await click(link);
  await (await openIsolate([link])).click(link);
  expect([clicksIn(held), await total()]).toEqual([2, 6]);
});

describe('a client that gets a webhook for clicks', () => {
  it('a client that gets a webhook for clicks has each later click once in the statistics and once in an event', async () => {
    const { tenant, link, total } = await seed();
    const { click } = await openIsolate([link]);
    const held = holdQueue();
    await click(link);
    expect(held).toEqual([]);
    await env.STATISTICS.getByName(tenant.clientId).expectClickWebhook();
    await addWebhook(tenant.clientId, { events: ['link.clicked'] });
    await click(link, link);
    expect(clicksIn(held)).toBe(2);
    await deliver(held);
    await deliver(held);
    expect(await total()).toBe(3);
    const events = await eventRowsOf(tenant.clientId);
    expect(events.flatMap(({ data }) => (JSON.parse(data) as { clicks: unknown[] }).clicks)).toHaveLength(2);
  });

  it('a client that gets a webhook for clicks goes straight to its object again some minutes after it has none', async () => {
    const { tenant, link, total } = await seed();
    await env.STATISTICS.getByName(tenant.clientId).expectClickWebhook();
    const held = holdQueue();
    await (await openIsolate([link])).click(link);
    await deliver(held);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + WRITE_MS + 60_000 });
    await (await openIsolate([link])).click(link);
    expect(clicksIn(held)).toBe(2);
    await deliver(held);
    await (await openIsolate([link])).click(link);
    expect([clicksIn(held), await total()]).toEqual([2, 3]);
  });
});

describe('a process whose queue ends with it', () => {
  it('a process whose queue ends with it counts the clicks of any number of clients directly, also of unknown ones', async () => {
    const seeds = await Promise.all(Array.from({ length: 4 }, () => seed(false)));
    const links = seeds.map(({ link }) => link);
    const { click } = await openIsolate(links, DIRECT);
    const held = holdQueue();
    await click(...links);
    await click(...links);
    expect(held).toEqual([]);
    for (const { total } of seeds) expect(await total()).toBe(2);
  });

  it('a process whose queue ends with it records the events of clicks before it counts them', async () => {
    const { tenant, link, total } = await seed(false);
    await addWebhook(tenant.clientId, { events: ['link.clicked'] });
    const { click } = await openIsolate([link], DIRECT);
    const held = holdQueue();
    const found: number[] = [];
    replaceInObjects('append', (append) => async (...args) => {
      found.push((await eventRowsOf(tenant.clientId)).length);
      return append(...args);
    });
    await click(link);
    await click(link);
    expect([held, found, await total()]).toEqual([[], [1, 2], 2]);
    expect(await eventRowsOf(tenant.clientId)).toHaveLength(2);
  });

  it('a process whose queue ends with it gives the queue only what fails', async () => {
    const { link, total } = await seed();
    const { click } = await openIsolate([link], DIRECT);
    const held = holdQueue();
    logged();
    const broken = replaceInObjects('offer', () => () => Promise.reject(OBJECT_FAILURE));
    await click(link);
    broken.mockRestore();
    expect([clicksIn(held), await total()]).toEqual([1, 0]);
    await click(link);
    await deliver(held);
    expect([clicksIn(held), await total()]).toEqual([1, 2]);
  });

  it('a process whose queue ends with it tries again what neither an object nor the queue takes, and keeps it in the database', async () => {
    const { link } = await seed();
    const { click } = await openIsolate([link], DIRECT);
    const send = refuseQueue();
    const problems = logged();
    for (const method of ['offer', 'append'] as const)
      replaceInObjects(method, () => () => Promise.reject(OBJECT_FAILURE));
    await click(link);
    expect(send).toHaveBeenCalledTimes(3);
    expect(problems().filter(({ event }) => event === 'clicks_kept')).toMatchObject([{ clicks: 1 }]);
  });
});

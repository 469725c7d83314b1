import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClickHooks } from '../../src/clicks/events/hooks.ts';
import { QueuedClients } from '../../src/clicks/queued-clients.ts';
import { DailySalts } from '../../src/clicks/salts.ts';
import { sendKeptPack, type ClickStores } from '../../src/clicks/send.ts';
import { openDatabase } from '../../src/database/service-database.ts';
import { openStatistics } from '../../src/statistics/statistics.ts';
import { clicksOf, logged, packOf, refuseQueue } from '../support/clicks.ts';
import { breakObjects } from '../support/objects.ts';
import { seedLink, seedTenant } from '../support/seed.ts';

afterEach(() => vi.restoreAllMocks());

function openStores(): ClickStores {
  return {
    queue: env.CLICKS,
    db: openDatabase(env.DB),
    statistics: openStatistics(env.STATISTICS, 2000),
    failures: null,
    hooks: new ClickHooks(),
    salts: new DailySalts(),
    queuedClients: new QueuedClients(),
    isQueueLast: false,
  };
}

/** A pack with a click of each of two clients, and the stores that it is sent to while the queue refuses it. */
async function seedPack() {
  const tenants = [await seedTenant(), await seedTenant()] as const;
  const links = [await seedLink(tenants[0]), await seedLink(tenants[1])] as const;
  const own = packOf(links[0], [{ link: 0 }, { link: 1 }]);
  const pack = { ...own, links: links.map(({ id, client_id }): [string, string, null] => [id, client_id, null]) };
  const stores = openStores();
  refuseQueue();
  logged();
  const send = () => sendKeptPack(stores, pack);
  const totals = () => Promise.all(links.map(async (link, index) => (await clicksOf(tenants[index]!, link)).total));
  return { links, stores, send, totals };
}

const failEvents = ({ hooks }: ClickStores, times: number) => {
  const reading = vi.spyOn(hooks, 'of');
  for (let n = 0; n < times; n++) reading.mockRejectedValueOnce(new Error('D1_ERROR: Network connection lost.'));
};

describe('a kept pack', () => {
  it('a kept pack is kept until the events about its clicks are recorded too, and counts once', async () => {
    const { stores, send, totals } = await seedPack();
    failEvents(stores, 1);
    expect([await send(), await send()]).toEqual([false, true]);
    expect(await totals()).toEqual([1, 1]);
  });

  it('a kept pack is kept while the object of one of its clients fails, whatever else does', async () => {
    const { links, stores, send, totals } = await seedPack();
    failEvents(stores, 1);
    breakObjects(links[1].client_id, 2);
    expect([await send(), await send(), await send()]).toEqual([false, false, true]);
    expect(await totals()).toEqual([1, 1]);
  });
});

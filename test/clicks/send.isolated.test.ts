import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { breakDatabase, clicksOf, deliver, follow, holdQueue, logged, packOf, refuseQueue } from '../support/clicks.ts';
import { refuseWrites } from '../support/d1.ts';
import { breakObjects, loseResponses, OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { seedLink, seedTenant, type LinkRecord } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

afterEach(() => vi.restoreAllMocks());

const VISITOR = { 'CF-Connecting-IP': '198.51.100.7' };

async function seed() {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  return { tenant, link, clicks: () => clicksOf(tenant, link) };
}

/** Follows a link that the isolate remembers, so that only the click needs a store; answers when all is done. */
async function openFollower(link: LinkRecord) {
  const isolate = openIsolate({ CLICK_PACK_SECONDS: '1' });
  await isolate(`/${link.id}`, { method: 'HEAD' });
  return () => isolate(`/${link.id}`, { headers: { ...VISITOR, 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } });
}

/** The real queue, which takes the message, and then says that it did not. */
function failAfterTaking() {
  const send = env.CLICKS.send.bind(env.CLICKS);
  return vi.spyOn(env.CLICKS, 'send').mockImplementation(async (...message) => {
    await send(...message);
    throw new Error('Queue send failed: connection lost');
  });
}

describe('a queue that refuses', () => {
  it('a queue that refuses is replaced by the object of the client at once, mark and all', async () => {
    const { link, clicks } = await seed();
    const send = refuseQueue();
    expect((await follow(link, VISITOR)).status).toBe(302);
    expect(await clicks()).toMatchObject({ total: 1, humans: 1, visitors_today: 1 });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('a queue that refuses is logged with the size of the pack, though nothing is lost', async () => {
    const { link } = await seed();
    refuseQueue();
    const problems = logged();
    await follow(link, VISITOR);
    const detail = 'Error: Queue send failed: 429';
    expect(problems()).toEqual([
      { level: 'error', event: 'click_queue_failed', detail, of_this_isolate: expect.any(Number), clicks: 1 },
    ]);
  });

  it('a queue that refuses, and had taken the message all the same, counts it no second time', async () => {
    const { link, clicks } = await seed();
    const held = holdQueue(new Error('Queue send failed: connection lost'));
    await follow(link, VISITOR);
    expect([held.length, (await clicks()).total]).toEqual([1, 1]);
    await deliver(held);
    await deliver(held, 'terse-clicks-dead');
    expect(await clicks()).toMatchObject({ total: 1, visitors_today: 1 });
  });

  it('the real queue catches up with a refusal after which it had taken the message all the same', async () => {
    const { link, clicks } = await seed();
    const [before, after] = [await openFollower(link), await openFollower(link)];
    const send = failAfterTaking();
    await before();
    send.mockRestore();
    // It has been delivered once a later message has come through the queue.
    await after();
    await expect.poll(async () => (await clicks()).total).toBe(2);
  });
});

describe('a database that takes no writes', () => {
  it('a database that takes no writes has the visitors distinguished as before: the salt of the day is read', async () => {
    const { link, clicks } = await seed();
    refuseQueue();
    await follow(link, VISITOR);
    const visit = await openFollower(link);
    refuseWrites(async () => {
      throw new Error('D1_ERROR: attempt to write a readonly database: SQLITE_READONLY');
    });
    const problems = logged();
    await visit();
    await visit();
    expect(problems().filter(({ event }) => event === 'visitor_salt_failed')).toEqual([]);
    vi.restoreAllMocks();
    expect(await clicks()).toMatchObject({ total: 3, visitors_today: 2 });
  });
});

describe('a queue and an object that both refuse', () => {
  it('a queue and an object that both refuse are tried again, and the click is counted once when the queue is back', async () => {
    const { link, clicks } = await seed();
    const [visit, held] = [await openFollower(link), holdQueue()];
    const refusal = new Error('Queue send failed: 429');
    const send = vi.spyOn(env.CLICKS, 'send').mockRejectedValueOnce(refusal).mockRejectedValueOnce(refusal);
    const problems = logged();
    const database = breakDatabase();
    await visit();
    database.mockRestore();
    expect(send).toHaveBeenCalledTimes(3);
    expect(problems().filter(({ event }) => event === 'clicks_lost')).toEqual([]);
    await deliver(held);
    expect((await clicks()).total).toBe(1);
  });

  it('a queue and an object that both refuse are tried again, and the click is counted once when the object is back', async () => {
    const { link, clicks } = await seed();
    const visit = await openFollower(link);
    const send = refuseQueue();
    breakObjects(link.client_id, 2);
    await visit();
    expect(send).toHaveBeenCalledTimes(3);
    expect((await clicks()).total).toBe(1);
  });

  it('a queue and an object that both refuse are tried again, and the click is counted once when the database is back', async () => {
    const { link, clicks } = await seed();
    const visit = await openFollower(link);
    const send = refuseQueue();
    const outage = new Error('D1_ERROR: Network connection lost.');
    // The salt is asked for, and again without a write, and then which packs are counted already.
    const batch = vi.spyOn(env.DB, 'batch');
    for (let i = 0; i < 3; i++) batch.mockRejectedValueOnce(outage);
    await visit();
    expect(send).toHaveBeenCalledTimes(2);
    expect((await clicks()).total).toBe(1);
  });

  it('a queue and an object that both refuse keep one id in all attempts, so that a lost response changes nothing', async () => {
    const { link, clicks } = await seed();
    const [visit, send] = [await openFollower(link), refuseQueue()];
    loseResponses(1);
    await visit();
    expect(new Set(send.mock.calls.map(([pack]) => (pack as { id: string }).id)).size).toBe(1);
    expect(send).toHaveBeenCalledTimes(2);
    expect((await clicks()).total).toBe(1);
  });

  it('a queue and an object that both refuse for good are logged as lost, with the clicks of the pack and of the isolate’s life', async () => {
    const { link, clicks } = await seed();
    const visits = [await openFollower(link), await openFollower(link)];
    const send = refuseQueue();
    const problems = logged();
    const [database, objects] = [breakDatabase(), breakObjects(link.client_id)];
    for (const visit of visits) expect((await visit()).status).toBe(302);
    database.mockRestore();
    objects.mockRestore();
    expect(send).toHaveBeenCalledTimes(6);
    const lost = problems().filter(({ event }) => event === 'clicks_lost');
    const detail = `Error: ${OBJECT_FAILURE.message}`;
    expect(lost).toMatchObject([
      { level: 'error', detail, clicks: 1 },
      { level: 'error', detail, clicks: 1 },
    ]);
    const [first, second] = lost.map((line) => Number(line['lost_by_this_isolate']));
    expect(second).toBe(Number(first) + 1);
    expect((await clicks()).total).toBe(0);
  });

  it.each([
    ['fails', () => Promise.reject(OBJECT_FAILURE)],
    ['does not respond', () => new Promise<never>(() => undefined)],
  ])('a queue and an object that both refuse keep only the clicks of the client whose object %s', async (_, append) => {
    const [one, other] = [await seed(), await seed()];
    refuseQueue();
    const problems = logged();
    replaceInObjects('append', () => append, one.link.client_id);
    const isolate = openIsolate({ CLICK_PACK_SECONDS: '1' });
    // The first click is sent by itself.
    for (const { link } of [one, other]) await isolate(`/${link.id}`, { method: 'HEAD' });
    await isolate(`/${other.link.id}`);
    await Promise.all([one, one, other, other, other].map(({ link }) => isolate(`/${link.id}`)));
    const kept = problems().filter(({ event }) => event === 'clicks_kept');
    expect([kept, (await other.clicks()).total]).toMatchObject([[{ clicks: 2 }], 4]);
  });

  it('a queue and an object that both refuse lose a gathered pack as one, with its size', async () => {
    const { link } = await seed();
    const visit = await openFollower(link);
    refuseQueue();
    const problems = logged();
    breakDatabase();
    breakObjects(link.client_id);
    await Promise.all(Array.from({ length: 5 }, () => visit()));
    const lost = problems().filter(({ event }) => event === 'clicks_lost');
    expect(lost.map(({ clicks }) => clicks)).toEqual([1, 4]);
  });
});

describe('no salt to be had', () => {
  it('a click without a salt is counted without a mark, and is logged', async () => {
    const { link, clicks } = await seed();
    const [visit, held] = [await openFollower(link), holdQueue()];
    const problems = logged();
    const database = breakDatabase();
    await visit();
    database.mockRestore();
    expect(problems()).toMatchObject([{ event: 'visitor_salt_failed' }]);
    expect(held.flatMap((pack) => pack.groups)).toEqual([[0, 0, 1, expect.any(Number), '']]);
    await deliver(held);
    expect(await clicks()).toMatchObject({ total: 1, humans: 1, visitors_today: 0 });
  });

  it('a salt that was not to be had is asked for again with the next pack', async () => {
    const { link, clicks } = await seed();
    const [visit, held] = [await openFollower(link), holdQueue()];
    vi.spyOn(env.DB, 'batch').mockRejectedValueOnce(new Error('D1_ERROR: Network connection lost.'));
    for (let i = 0; i < 2; i++) await visit();
    await deliver(held);
    expect(await clicks()).toMatchObject({ total: 2, visitors_today: 1 });
  });
});

describe('a queue that delivers a pack twice', () => {
  it('a queue that delivers a pack twice has its clicks counted once', async () => {
    const { link, clicks } = await seed();
    const pack = packOf(link, 3);
    for (const each of [pack, pack, packOf(link, 2)]) await env.CLICKS.send(each);
    await expect.poll(async () => (await clicks()).total).toBe(5);
  });
});

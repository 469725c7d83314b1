import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pack, PackedLink } from '../../src/clicks/read-pack.ts';
import worker from '../../src/index.ts';
import { breakDatabase, deliver, logged, packOf, seedCounted, TAKEN, toComeAgainIn } from '../support/clicks.ts';
import { breakObjects } from '../support/objects.ts';
import type { LinkRecord } from '../support/seed.ts';

const DAY_MS = 24 * 3600 * 1000;
const ANY_LINK = { id: 'b4cd3fgh', client_id: 'client' };

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a batch that cannot be counted', () => {
  it('a batch whose events cannot be recorded is asked for again after a while, whole, and counts once', async () => {
    const { link, total } = await seedCounted();
    const packs = [packOf(link, 3), packOf(link, 4)];
    const problems = logged();
    const database = breakDatabase();
    expect(await deliver(packs)).toEqual(toComeAgainIn(5));
    database.mockRestore();
    expect(problems()).toMatchObject([{ event: 'click_events_not_recorded' }]);
    expect(await total()).toBe(7);
    await deliver(packs);
    expect(await total()).toBe(7);
  });

  it('a batch that cannot be counted holds up the clicks of the client alone whose object fails', async () => {
    const [one, other] = [await seedCounted(), await seedCounted()];
    const packs = [packOf(one.link, 3), bothOf(one.link, other.link), packOf(other.link, 4)];
    const problems = logged();
    const objects = breakObjects(one.link.client_id);
    const acks = await outcomesOf(packs);
    objects.mockRestore();
    expect(acks).toEqual(['again', 'again', 'taken']);
    expect(problems()).toMatchObject([{ event: 'clicks_not_counted', client_id: one.link.client_id }]);
    expect([await one.total(), await other.total()]).toEqual([0, 5]);
    vi.setSystemTime(Date.now() + 5000);
    expect(await deliver(packs)).toEqual(TAKEN);
    expect([await one.total(), await other.total()]).toEqual([4, 5]);
  });

  it('a batch that cannot be counted does not call an object again for 5 seconds after it has failed', async () => {
    const { link, total } = await seedCounted();
    const objects = breakObjects(link.client_id);
    for (let i = 0; i < 3; i++) expect(await deliver([packOf(link, 1)])).toEqual(toComeAgainIn(5));
    expect(objects).toHaveBeenCalledTimes(1);
    objects.mockRestore();
    vi.setSystemTime(Date.now() + 5000);
    expect(await deliver([packOf(link, 2)])).toEqual(TAKEN);
    expect(await total()).toBe(2);
  });

  it('a batch that cannot be counted is tried again by the hour once it is a dead letter, and counted when the database is back', async () => {
    const { link, total } = await seedCounted();
    const packs = [packOf(link, 3)];
    const database = breakDatabase();
    for (let i = 0; i < 2; i++) expect(await deliver(packs, 'terse-clicks-dead')).toEqual(toComeAgainIn(3600));
    database.mockRestore();
    expect(await deliver(packs, 'terse-clicks-dead')).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('a batch that cannot be counted is no dead letter in a queue whose name only ends like that of the dead letters', async () => {
    const { link } = await seedCounted();
    breakDatabase();
    expect(await deliver([packOf(link, 3)], 'terse-not-dead')).toEqual(toComeAgainIn(5));
  });
});

describe('a message that is not to be counted', () => {
  it.each([
    ['nothing', null],
    ['a text', 'clicks'],
    ['an empty object', {}],
    ['a list', [1, 2]],
    ['a pack without an id', { ...packOf(ANY_LINK, 1), id: undefined }],
    ['a pack with a click at no time', { ...packOf(ANY_LINK, 1), groups: [[0, 0, 1, 'noon', '']] }],
    ['a pack with half a mark', packOf(ANY_LINK, [{ mark: 'abc' }])],
    ['a pack with less than a click', packOf(ANY_LINK, [{ clicks: 0 }])],
    ['a pack with a click of no link', { ...packOf(ANY_LINK, 1), links: [] }],
    ['a pack with a click of no profile', { ...packOf(ANY_LINK, 1), profiles: [] }],
    ['a pack with a click of no agent', { ...packOf(ANY_LINK, 1), agents: [] }],
  ])(
    'a message that is not to be counted is taken and logged where it is %s, and the rest is counted',
    async (_, body) => {
      const { link, total } = await seedCounted();
      const problems = logged();
      expect(await deliver([body, packOf(link, 2)])).toEqual(TAKEN);
      expect(problems()).toMatchObject([{ event: 'click_message_unreadable', message_id: expect.any(String) }]);
      expect(await total()).toBe(2);
    },
  );

  it('a message that is not to be counted is logged as lost, with its size, where it is older than 30 days', async () => {
    const { link, total } = await seedCounted();
    const problems = logged();
    const old = packOf(link, 5, { at: Date.now() - 30 * DAY_MS });
    const young = packOf(link, 2, { at: Date.now() - 30 * DAY_MS + 1 });
    expect(await deliver([old, young])).toEqual(TAKEN);
    expect(problems()).toMatchObject([{ event: 'clicks_lost', clicks: 5 }]);
    expect(await total()).toBe(2);
  });
});

describe('a pack that is too old', () => {
  const old = (link: LinkRecord) => packOf(link, 5, { at: Date.now() - 30 * DAY_MS });

  it('a pack that is too old is logged as lost though the object of another client fails meanwhile', async () => {
    const [one, other] = [await seedCounted(), await seedCounted()];
    const problems = logged();
    breakObjects(one.link.client_id);
    expect(await outcomesOf([packOf(one.link, 3), old(other.link)])).toEqual(['again', 'taken']);
    expect(problems().filter(({ event }) => event === 'clicks_lost')).toMatchObject([{ clicks: 5 }]);
  });

  it('a pack that is too old is logged once where its own client fails first', async () => {
    const { link } = await seedCounted();
    const problems = logged();
    const objects = breakObjects(link.client_id);
    const packs = [packOf(link, 3), old(link)];
    for (let i = 0; i < 2; i++) {
      await deliver(packs);
      objects.mockRestore();
      vi.setSystemTime(Date.now() + 5000);
    }
    expect(problems().filter(({ event }) => event === 'clicks_lost')).toMatchObject([{ clicks: 5 }]);
  });
});

/** A pack with a click of each of two links. */
function bothOf(one: LinkRecord, other: LinkRecord): Pack {
  const links = [one, other].map(({ id, client_id }): PackedLink => [id, client_id, null]);
  return packOf(one, [{ link: 0 }, { link: 1 }], { links });
}

/** Consumes a batch. Returns the outcome of each message. */
async function outcomesOf(packs: readonly Pack[]): Promise<string[]> {
  const messages = packs.map((body, i) => ({ id: String(i), body, timestamp: new Date(), attempts: 1 }));
  const batch = createMessageBatch('terse-clicks', messages);
  await worker.queue(batch, env, createExecutionContext());
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return messages.map(({ id }) => (explicitAcks.includes(id) ? 'taken' : 'again'));
}

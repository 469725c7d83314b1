import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import { parseApiKey } from '../../src/accounts/keys/api-key.ts';
import { LIVE_TIMES, type LiveTimes } from '../../src/clicks/live.ts';
import type { Database } from '../../src/database/database.ts';
import { AppError } from '../../src/errors.ts';
import type { HttpEnv } from '../../src/http/env.ts';
import { respondWithLive } from '../../src/http/event-stream.ts';
import { openStatistics } from '../../src/statistics/statistics.ts';
import { deliver, packOf } from '../support/clicks.ts';
import { answerFaults } from '../support/documented.ts';
import { eventsOf } from '../support/event-streams.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { ask, seedKey } from '../support/management.ts';
import { db, seedLink } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';
import { deliveryOf } from '../statistics/support/statistics.ts';

const NEVER = 10 ** 9;

/** Opens a stream whose clicks have only the short link, with a database of its own and intervals of milliseconds. */
async function open(caller: Caller, times: Partial<LiveTimes>, database: Database = db) {
  const { id, key } = await seedKey(caller, ['stats:read']);
  const { secretHash } = parseApiKey(key)!;
  const app = new Hono<HttpEnv>();
  app.get('/', async (c) => {
    c.set('db', database);
    c.set('statistics', openStatistics(env.STATISTICS, 5000));
    c.set('site', { requestUrl: new URL(ORIGIN), publicUrl: null });
    c.set('requestId', 'of-a-test');
    return respondWithLive(
      c,
      async () => ({ kind: 'api_key', keyId: id, secretHash }),
      { clientId: caller.clientId, linkId: null, lastId: null },
      (_click, shortUrl = 'not known') => ({ shortUrl }),
      { beat: NEVER, check: NEVER, end: NEVER, ...times },
    );
  });
  return { id, ...(await eventsOf(await app.request('/'))) };
}

it('a stream of clicks has a comment every two seconds, is checked every minute, and ends after 15 minutes', () => {
  expect(LIVE_TIMES).toEqual({ beat: 2000, check: 60_000, end: 900_000 });
});

it('a stream of clicks writes a comment while nothing happens', async () => {
  const { next } = await open(await seedCaller(), { beat: 5 });
  expect(await next()).toEqual({ comment: 'still connected' });
});

describe('the last event of a stream', () => {
  const last = async (end: Promise<{ readonly data?: unknown } | null>) => {
    const event = await end;
    expect(answerFaults({ $ref: '#/components/schemas/StreamedEnd' }, event?.data)).toEqual([]);
    return event;
  };

  it('the last event of a stream says that its time is over, and when to connect again', async () => {
    const { next } = await open(await seedCaller(), { end: 5 });
    expect(await last(next())).toEqual({
      retry: '6000',
      event: 'end',
      data: { reason: 'time', detail: 'The stream was open for 15 minutes. Connect again.' },
    });
    expect(await next()).toBeNull();
  });

  it('the last event of a stream says why it cannot be read any longer', async () => {
    const caller = await seedCaller();
    const { id, expect: until, next } = await open(caller, { check: 20 });
    expect((await ask(caller, 'DELETE', `/v1/keys/${id}`)).status).toBe(204);
    expect((await last(until('end')))?.data).toEqual({
      reason: 'invalid_credential',
      detail: expect.stringMatching(/\.$/),
    });
    expect(await next()).toBeNull();
  });

  it('the last event of a stream comes early after 500 look-ups of short links', async () => {
    const caller = await seedCaller();
    const object = env.STATISTICS.getByName(caller.clientId);
    const { expect: until, next } = await open(caller, {});
    for (let i = 0; i < 500; i++) {
      await object.append(deliveryOf({ link: `link-${i}`, at: i * 1000 }));
      await until('click');
    }
    expect((await last(next()))?.data).toEqual({
      reason: 'time',
      detail: 'The stream has reached its limit. Connect again.',
    });
  });
});

describe('the short link of a click', () => {
  it('the short link of a click is unknown while the database does not respond', async () => {
    const caller = await seedCaller();
    const link = await seedLink(caller);
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    let isOut = false;
    const outage: Database['batch'] = async (statements) => {
      if (isOut) throw new AppError('store_unavailable', 'The database does not respond.');
      return db.batch(statements);
    };
    const { expect: until } = await open(caller, {}, { ...db, batch: outage });
    isOut = true;
    await deliver([packOf(link, 1)]);
    expect((await until('click')).data).toEqual({ shortUrl: 'not known' });
    expect(logged.mock.calls.flat().join()).toContain('live_links_unknown');
    logged.mockRestore();
    isOut = false;
    await deliver([packOf(link, 1)]);
    expect((await until('click')).data).toEqual({ shortUrl: `${ORIGIN}/${link.id}` });
  });

  it('the short link of a click is read again with each check', async () => {
    const caller = await seedCaller();
    const link = await seedLink(caller);
    const { expect: until, next } = await open(caller, { beat: 40, check: 20 });
    await deliver([packOf(link, 1)]);
    expect((await until('click')).data).toEqual({ shortUrl: `${ORIGIN}/${link.id}` });
    expect((await ask(caller, 'DELETE', `/v1/links/${link.id}`)).status).toBe(204);
    // Before a beat there was a check.
    await next();
    await deliver([packOf(link, 1)]);
    expect((await until('click')).data).toEqual({ shortUrl: null });
  });
});

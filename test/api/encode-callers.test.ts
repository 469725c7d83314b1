import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import worker from '../../src/index.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { seedMember } from '../support/management.ts';
import { openBrowser } from '../support/platform.ts';
import { db, rowsOf } from '../support/seed.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

const DAY_MS = 24 * 3600 * 1000;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

// What an isolate of its own defers is done when it has answered.
const encode = (caller: Caller, fields: Record<string, string> = {}, through: Call = openIsolate()) =>
  through('/shortener/encode', {
    headers: { ...bearerOf(caller), 'CF-Connecting-IP': caller.address },
    form: { url: 'https://example.com/', client_id: caller.clientId, ...fields },
  });

const daysOf = async ({ clientId }: Caller) =>
  (await rowsOf('encode_days'))
    .filter((row) => row['client_id'] === clientId)
    .map(({ user_id, made, refused }) => [user_id, made, refused]);

describe('a call of /shortener/encode', () => {
  it('a call of /shortener/encode is counted by user and day in the very batch that creates the link', async () => {
    const caller = await seedCaller();
    const trips = await countTrips();
    for (const _ of [1, 2, 3]) expect((await encode(caller)).status).toBe(200);
    expect(trips().d1).toBe(3);
    expect(await daysOf(caller)).toEqual([[caller.userId, 3, 0]]);
  });

  it.each<[what: string, status: number, fields: Record<string, string>]>([
    ['with a url that is none', 400, { url: 'no url' }],
    ['with an unknown field', 400, { colour: 'red' }],
    ['with a domain that is not the client’s', 400, { custom_domain: 'go.nobody.example' }],
    ['without a client, of a user of one', 400, { client_id: '' }],
  ])('a call of /shortener/encode that is refused is counted apart: %s', async (_, status, fields) => {
    const caller = await seedCaller();
    expect((await encode(caller, fields)).status).toBe(status);
    expect(await daysOf(caller)).toEqual([[caller.userId, 0, 1]]);
  });

  it('a call of /shortener/encode that the cutoff refuses is counted, and its response is no slower for that', async () => {
    const caller = await seedCaller();
    const retired = openIsolate({ ENCODE_CUTOFF: '2020-01-01T00:00:00Z' });
    const trips = await countTrips();
    expect((await encode(caller, {}, retired)).status).toBe(403);
    expect(trips().d1).toBe(1);
    expect(await daysOf(caller)).toEqual([[caller.userId, 0, 1]]);
  });

  it('a call of /shortener/encode gets the same response where it cannot be counted', async () => {
    const caller = await seedCaller();
    const retired = openIsolate({ ENCODE_CUTOFF: '2020-01-01T00:00:00Z' });
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is away'));
    expect((await encode(caller, {}, retired)).status).toBe(403);
    expect((await encode(caller, { url: 'no url' })).status).toBe(400);
  });

  it.each<[what: string, status: number, change: (caller: Caller) => Promise<Caller>, fields?: Record<string, string>]>(
    [
      ['a token that is none', 401, async (caller) => ({ ...caller, accessToken: 'none' })],
      [
        'a token that is none, with a bad form',
        400,
        async (caller) => ({ ...caller, accessToken: 'none' }),
        { url: 'x' },
      ],
      [
        'an ended sign-in',
        401,
        async (caller) => {
          await env.DB.prepare('UPDATE token_families SET ended_at = 1 WHERE user_id = ?').bind(caller.userId).run();
          return caller;
        },
      ],
      ['an api_token', 401, async (caller) => ({ ...caller, accessToken: caller.apiToken })],
    ],
  )('a call of /shortener/encode by %s is not counted', async (_, status, change, fields) => {
    const caller = await change(await seedCaller());
    expect((await encode(caller, fields)).status).toBe(status);
    expect(await daysOf(caller)).toEqual([]);
  });

  it('a call of /shortener/encode that is refused counts towards the limits of creates, if its credential is good', async () => {
    const [caller, ended] = [await seedCaller(), await seedCaller()];
    await env.DB.prepare('UPDATE token_families SET ended_at = 1 WHERE user_id = ?').bind(ended.userId).run();
    const names = ['CREATE_LIMIT', 'CREATE_ADDRESS_LIMIT', 'BAD_CREDENTIAL_LIMIT'] as const;
    const limits = names.map((name) => vi.spyOn(env[name], 'limit'));
    const keysOf = async (caller: Caller) => {
      limits.forEach((limit) => limit.mockClear());
      const answer = openIsolate()('/shortener/encode', {
        headers: { ...bearerOf(caller), 'CF-Connecting-IP': caller.address },
        form: { url: 'no url', client_id: caller.clientId },
      });
      expect((await answer).status).toBe(400);
      return limits.map((limit) => limit.mock.calls.map(([{ key }]) => key));
    };
    expect(await keysOf(caller)).toEqual([[caller.userId], [caller.address], []]);
    expect(await keysOf(ended)).toEqual([[ended.userId], [], [ended.address]]);
  });

  it.each(['CREATE_LIMIT', 'CREATE_ADDRESS_LIMIT'] as const)(
    'a call of /shortener/encode that is refused is not counted beyond %s, and gets the same response',
    async (name) => {
      const [caller, isolate] = [await seedCaller(), openIsolate()];
      vi.spyOn(env[name], 'limit').mockResolvedValue({ success: false });
      for (const _ of ['the one that comes to the limit', 'one beyond'])
        expect((await encode(caller, { url: 'no url' }, isolate)).status).toBe(400);
      expect(await daysOf(caller)).toEqual(name === 'CREATE_LIMIT' ? [] : [[caller.userId, 0, 1]]);
    },
  );

  it('a call of /shortener/encode for a client of others is counted nowhere', async () => {
    const [caller, stranger] = [await seedCaller(), await seedCaller()];
    expect((await encode(caller, { client_id: stranger.clientId })).status).toBe(403);
    expect((await encode(caller, { client_id: stranger.clientId, url: 'no url' })).status).toBe(400);
    expect([await daysOf(caller), await daysOf(stranger)]).toEqual([[], []]);
  });

  it('a call of /shortener/encode that names no client is counted for none of several', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    await addMember(db, caller.userName, other.clientId);
    expect((await encode(caller, { client_id: '' })).status).toBe(400);
    expect([await daysOf(caller), await daysOf(other)]).toEqual([[], []]);
  });

  it('a call of /shortener/encode is forgotten after 30 days', async () => {
    const caller = await seedCaller();
    await encode(caller);
    vi.setSystemTime(Date.now() + 30 * DAY_MS);
    await worker.scheduled(createScheduledController(), env);
    expect(await daysOf(caller)).toHaveLength(1);
    vi.setSystemTime(Date.now() + DAY_MS);
    await worker.scheduled(createScheduledController(), env);
    expect(await daysOf(caller)).toEqual([]);
  });
});

describe('the pages of a client', () => {
  const pageOf = async (
    caller: Caller,
    path = '',
    settings: Record<string, string> = {},
    clientId = caller.clientId,
  ) => {
    const { cookie } = await openBrowser(caller);
    const response = await openIsolate(settings)(`/platform/c/${clientId}${path}`, { headers: { Cookie: cookie } });
    return response.text();
  };

  it('the pages of a client name whose programs call, how often, from when on they are refused, and what to do', async () => {
    const owner = await seedCaller();
    const [member, idle] = [await seedMember(owner), await seedMember(owner)];
    for (const _ of [1, 2, 3]) await encode(owner);
    await encode(owner, { url: 'no url' });
    await encode(member, { url: 'no url' });
    for (const path of ['', '/keys']) {
      const page = await pageOf(owner, path, { ENCODE_CUTOFF: '2099-01-01T00:00:00Z' });
      expect(page).toContain(
        `<li><strong><bdi>${owner.userName}</bdi></strong>, 4 times, 1 of them refused</li>` +
          `<li><strong><bdi>${member.userName}</bdi></strong>, once, always refused</li></ul>`,
      );
      expect(page).toContain(
        'From <time datetime="2099-01-01T00:00:00.000Z">1 Jan 2099, 00:00 UTC</time> on it refuses',
      );
      expect(page).toContain(`href="/platform/c/${owner.clientId}/keys/new">Create API key</a>`);
      expect(page).not.toContain(idle.userName);
    }
    const past = await pageOf(owner, '', { ENCODE_CUTOFF: '2020-01-01T00:00:00Z' });
    expect(past).toContain('Since <time datetime="2020-01-01T00:00:00.000Z">1 Jan 2020, 00:00 UTC</time> it refuses');
  });

  it('the pages of a client show members their own programs only', async () => {
    const owner = await seedCaller();
    const [member, idle] = [await seedMember(owner), await seedMember(owner)];
    await encode(owner);
    await encode(member);
    const page = await pageOf(member);
    expect(page).toContain(`<li><strong><bdi>${member.userName}</bdi></strong>, once</li></ul>`);
    expect(await pageOf(idle)).not.toContain('/shortener/encode');
  });

  it('the pages of a client look back seven days, and say nothing if there are no calls', async () => {
    const owner = await seedCaller();
    expect(await pageOf(owner)).not.toContain('/shortener/encode');
    await encode(owner);
    const shift = (days: number) =>
      env.DB.prepare('UPDATE encode_days SET day = ? WHERE client_id = ?')
        .bind(new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10), owner.clientId)
        .run();
    await shift(6);
    expect(await pageOf(owner)).toContain('/shortener/encode');
    await shift(7);
    expect(await pageOf(owner)).not.toContain('/shortener/encode');
  });

  it('the pages of a client do not name users of other clients, or users who have left', async () => {
    const [owner, stranger] = [await seedCaller(), await seedCaller()];
    const former = await seedMember(owner);
    await encode(former);
    await encode(stranger);
    await addMember(db, owner.userName, stranger.clientId);
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(former.userId).run();
    expect(await pageOf(owner)).not.toContain('/shortener/encode');
    expect(await pageOf(owner, '', {}, stranger.clientId)).toContain(stranger.userName);
  });

  it('the pages of a client name old programs in the two trips that they take anyway', async () => {
    const owner = await seedCaller();
    await encode(owner);
    const { browse } = await openBrowser(owner);
    const trips = await countTrips();
    expect(await (await browse(`/platform/c/${owner.clientId}/keys`)).text()).toContain('/shortener/encode');
    expect(trips().d1).toBe(2);
  });
});

import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newAddress } from '../support/address.ts';
import { failD1 } from '../support/d1.ts';
import { cookieIn, enter, PASSWORD, seedLocked, TARGET, unlocked } from '../support/locked.ts';
import { open } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';
import { call, openIsolate, type Call } from '../support/service.ts';
import { byPerson, ledTo, lock, setColumns } from '../support/visits.ts';

/** Visits after the password of a link was entered, and the number of attempts. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the cookie of a visitor who has entered the password', () => {
  it('a link with a password accepts no cookie of another link, of another end, that has expired, or that is damaged', async () => {
    const [{ id }, other] = [await seedLocked(), await seedLocked()];
    const isolate = openIsolate();
    const statusWith = async (cookie: string) => (await isolate(`/${id}`, byPerson({ Cookie: cookie }))).status;
    const cookie = await unlocked(isolate, `/${id}`);
    const value = cookie.slice(cookie.indexOf('=') + 1);
    const [ends = '', signed = ''] = value.split('.');
    const named = (it: string) => `__Secure-terse-${id}=${it}`;
    expect(await statusWith(named(value))).toBe(302);
    const ofOther = await unlocked(isolate, `/${other.id}`);
    for (const bad of [
      ofOther,
      named(ofOther.slice(ofOther.indexOf('=') + 1)),
      named(`${Number(ends) + 1}.${signed}`),
      named(`${ends}.${signed.slice(1)}A`),
      named(`${ends}.`),
      named(''),
      `terse-${id}=${value}`,
    ])
      expect([bad, await statusWith(bad)]).toEqual([bad, 200]);
    vi.setSystemTime(Number(ends) * 1000 - 1);
    expect(await statusWith(named(value))).toBe(302);
    vi.setSystemTime(Number(ends) * 1000);
    expect(await statusWith(named(value))).toBe(200);
  });

  it('the cookie of a visitor who has entered the password is found beside one of the same name for a longer path', async () => {
    const { id } = await seedLocked();
    const isolate = openIsolate();
    const cookie = await unlocked(isolate, `/${id}`);
    const Cookie = `__Secure-terse-${id}=1.x; ${cookie}`;
    expect(ledTo(await isolate(`/${id}`, byPerson({ Cookie })))).toEqual([302, TARGET]);
  });

  it('the cookie of a visitor who has entered the password is one of the first twenty of its name, since verifying each costs time', async () => {
    const { id } = await seedLocked();
    const isolate = openIsolate();
    const cookie = await unlocked(isolate, `/${id}`);
    const statusAfter = async (others: number) => {
      const Cookie = [...Array<string>(others).fill(`__Secure-terse-${id}=9999999999.${'A'.repeat(43)}`), cookie];
      return (await isolate(`/${id}`, byPerson({ Cookie: Cookie.join('; ') }))).status;
    };
    expect([await statusAfter(19), await statusAfter(20)]).toEqual([302, 200]);
  });

  it('a link with a password accepts a cookie that the former key has signed, and none of a key that is removed', async () => {
    const { id } = await seedLocked();
    const [present, former] = JSON.parse(env.TOKEN_KEYS ?? '') as [object, object];
    const withKeys = (...keys: object[]) => openIsolate({ TOKEN_KEYS: JSON.stringify(keys) });
    const cookie = await unlocked(withKeys(former), `/${id}`);
    const statusIn = async (isolate: Call) => (await isolate(`/${id}`, byPerson({ Cookie: cookie }))).status;
    expect([await statusIn(withKeys(present, former)), await statusIn(withKeys(present))]).toEqual([302, 200]);
  });
});

describe('attempts to enter the password of a link', () => {
  it('attempts to enter the password of a link are limited to ten a minute from one address', async () => {
    const { id } = await seedLocked();
    const isolate = openIsolate();
    const address = newAddress();
    const attempt = () => enter(isolate, `/${id}`, 'wrong', { 'CF-Connecting-IP': address });
    // Twice as many, since the minute may end meanwhile.
    const responses = [];
    for (let time = 0; time < 21; time++) responses.push(await attempt());
    const refused = responses.find(({ status }) => status === 429);
    expect(responses[9]?.status).toBe(403);
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(await refused?.text()).toContain('role="alert">Too many attempts. Wait a minute, then try again.</p>');
    // Other visitors are not refused.
    expect((await enter(isolate, `/${id}`, PASSWORD)).status).toBe(303);
  });

  it('attempts to enter the password of a link get 503 while they cannot be limited, and verify no password then', async () => {
    const { id } = await seedLocked();
    const isolate = openIsolate();
    vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(env.SIGN_IN_PAIR_LIMIT, 'limit').mockRejectedValue(new Error('no limiter'));
    const response = await enter(isolate, `/${id}`, PASSWORD, { Accept: 'application/json' });
    expect([response.status, response.headers.get('Retry-After'), response.headers.get('Set-Cookie')]).toEqual([
      503,
      '5',
      null,
    ]);
    expect(await response.json()).toEqual({
      result: 'Failed',
      error: 'store_unavailable: Checking passwords is temporarily unavailable. Try again in a few seconds.',
    });
  });

  it('attempts to enter the password of a link get 503 while the database does not respond; visitors with a cookie are redirected', async () => {
    const { id } = await seedLocked();
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    const cookie = await unlocked(isolate, `/${id}`);
    vi.spyOn(console, 'error').mockReturnValue();
    failD1();
    const response = await enter(isolate, `/${id}`, PASSWORD);
    expect([response.status, response.headers.has('Retry-After'), response.headers.get('Set-Cookie')]).toEqual([
      503,
      true,
      null,
    ]);
    expect(ledTo(await isolate(`/${id}`, byPerson({ Cookie: cookie })))).toEqual([302, TARGET]);
  });
});

describe('a password that is changed', () => {
  it('a password that is changed locks out everyone who had entered the former one, at once in the isolate of the edit', async () => {
    const { manager, id } = await seedLocked();
    const Cookie = await unlocked(call, `/${id}`);
    expect(ledTo(await call(`/${id}`, byPerson({ Cookie })))).toEqual([302, TARGET]);
    await manager.ask('PATCH', `/v1/links/${id}`, { password: 'another one' });
    expect((await call(`/${id}`, byPerson({ Cookie }))).status).toBe(200);
    expect((await enter(call, `/${id}`, PASSWORD)).status).toBe(403);
    const next = cookieIn(await enter(call, `/${id}`, 'another one'));
    expect(ledTo(await call(`/${id}`, byPerson({ Cookie: next })))).toEqual([302, TARGET]);
    // A password that is set again is another one, even if its text is the same.
    await manager.ask('PATCH', `/v1/links/${id}`, { password: 'another one' });
    expect((await call(`/${id}`, byPerson({ Cookie: next }))).status).toBe(200);
  });

  it('a password that is changed is verified as the database has it by an isolate that remembers the former one', async () => {
    const { manager, id } = await seedLocked();
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    expect((await isolate(`/${id}`)).status).toBe(200);
    await manager.ask('PATCH', `/v1/links/${id}`, { password: 'another one' });
    expect((await enter(isolate, `/${id}`, PASSWORD)).status).toBe(403);
    const Cookie = cookieIn(await enter(isolate, `/${id}`, 'another one'));
    expect(ledTo(await isolate(`/${id}`, byPerson({ Cookie })))).toEqual([302, TARGET]);
  });

  it('a password that is changed leaves no form once it is removed, also in an isolate that remembers it', async () => {
    const { manager, id } = await seedLocked();
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    expect((await isolate(`/${id}`)).status).toBe(200);
    await manager.ask('PATCH', `/v1/links/${id}`, { password: null });
    expect(ledTo(await call(`/${id}`))).toEqual([302, TARGET]);
    const response = await enter(isolate, `/${id}`, 'anything');
    expect([...ledTo(response), response.headers.get('Set-Cookie')]).toEqual([303, `/${id}`, null]);
    expect(ledTo(await isolate(`/${id}`))).toEqual([302, TARGET]);
  });

  it('a password that is changed does not undo an edit that came while it was verified', async () => {
    const { manager, id } = await seedLocked();
    expect((await call(`/${id}`)).status).toBe(200);
    const batch = env.DB.batch.bind(env.DB);
    let isEdited = false;
    vi.spyOn(env.DB, 'batch').mockImplementation(async (statements) => {
      const rows = await batch(statements);
      if (!isEdited) {
        isEdited = true;
        await manager.ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/newer' });
      }
      return rows;
    });
    const Cookie = await unlocked(call, `/${id}`);
    vi.restoreAllMocks();
    expect(ledTo(await call(`/${id}`, byPerson({ Cookie })))).toEqual([302, 'https://example.com/newer']);
  });
});

describe('a link with a password that forwards its path', () => {
  it('a link with a password that forwards its path sets the cookie for the slug, so that it holds for all paths below', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    const id = await manager.make({ url: TARGET, slug: 'guide', custom_domain: host, forward_path: true });
    await lock(id, PASSWORD);
    const isolate = openIsolate();
    expect((await isolate(`https://${host}/guide/a`)).status).toBe(200);
    const response = await enter(isolate, `https://${host}/guide/a?b`, PASSWORD);
    expect(ledTo(response)).toEqual([303, '/guide/a?b']);
    expect(response.headers.get('Set-Cookie')).toContain('; Path=/guide; ');
    const Cookie = cookieIn(response);
    for (const path of ['/guide', '/guide/a'])
      expect(ledTo(await isolate(`https://${host}${path}`, byPerson({ Cookie })))).toEqual([
        302,
        TARGET + path.slice('/guide'.length),
      ]);
  });
});

it('takes clicks of a limited link with a password only when visitors are redirected', async () => {
  const { id } = await seedLocked({ max_clicks: 1 });
  const isolate = openIsolate();
  const Cookie = await unlocked(isolate, `/${id}`);
  for (const headers of [{}, { Cookie: 'a=b' }]) expect((await isolate(`/${id}`, byPerson(headers))).status).toBe(200);
  expect(ledTo(await isolate(`/${id}`, byPerson({ Cookie })))).toEqual([302, TARGET]);
  expect((await isolate(`/${id}`, byPerson({ Cookie }))).status).toBe(410);
  // Without the cookie the form comes first.
  expect((await isolate(`/${id}`, byPerson())).status).toBe(200);
  await setColumns(id, { disabled_at: 1 });
  expect((await openIsolate()(`/${id}`, byPerson())).status).toBe(410);
});

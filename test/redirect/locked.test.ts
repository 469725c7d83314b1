import { afterEach, describe, expect, it, vi } from 'vitest';
import { assetPath } from '../../src/http/assets.ts';
import { clicksIn, GOOGLEBOT, holdQueue, packsOf, SLACK } from '../support/clicks.ts';
import { cookieIn, enter, PASSWORD, seedLocked, TARGET, unlocked } from '../support/locked.ts';
import { open } from '../support/manage.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';
import { byPerson, fromEachStore, ledTo, lock, FORM_HEADERS, PAGE_HEADERS } from '../support/visits.ts';

/** Links with a password. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ');

const page = (title: string, more: { readonly action: string; readonly input: string; readonly fault: string }) =>
  squeezed(`<!doctype html> <html lang="en" dir="ltr"> <head> <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <meta name="color-scheme" content="light dark" /> <title>${title}</title>
  <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" /> <link rel="stylesheet" href="${assetPath('page.css')}" />
  </head> <body> <main><p class="tape"> <bdi dir="ltr">terse.test/<wbr /><b>${more.action.slice(1)}</b></bdi> </p> <h1>Enter the password</h1>
  <p>This link is protected. Ask the sender for the password.</p> <form method="post" action="${more.action}">
  <label for="password">Password</label> <input id="password" name="password" type="password" required autofocus
  maxlength="256" autocomplete="off" ${more.input} /> ${more.fault} <button>Continue</button> </form></main>
  </body> </html>`);

describe('a link with a password', () => {
  it('a link with a password shows a form that works without scripts, and names no destination, from every store', async () => {
    const { id } = await seedLocked();
    const held = holdQueue();
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}`))) {
      expect([store, response.status, Object.fromEntries(response.headers)]).toEqual([store, 200, FORM_HEADERS]);
      expect(squeezed(await response.text())).toBe(
        page('Enter the password', { action: `/${id}`, input: '', fault: '' }),
      );
    }
    expect(packsOf(held, id)).toEqual([]);
  });

  it.each([GOOGLEBOT, SLACK, ''])('a link with a password shows the same form to programs: %s', async (userAgent) => {
    const { id } = await seedLocked({ preview: { title: 'Secret' } });
    const response = await call(`/${id}`, { headers: { 'User-Agent': userAgent } });
    expect(squeezed(await response.text())).toBe(
      page('Enter the password', { action: `/${id}`, input: '', fault: '' }),
    );
  });

  it('a link with a password gives HEAD the headers of the form, also to a visitor who has entered the password', async () => {
    const { id } = await seedLocked();
    const isolate = openIsolate();
    const cookie = await unlocked(isolate, `/${id}`);
    for (const headers of [{}, { Cookie: cookie }]) {
      const response = await isolate(`/${id}`, { method: 'HEAD', headers });
      expect([response.status, Object.fromEntries(response.headers), await response.text()]).toEqual([
        200,
        FORM_HEADERS,
        '',
      ]);
    }
  });

  it('a link with a password redirects after the password: 303 to itself with a cookie, then a redirect that asks no store', async () => {
    const { id } = await seedLocked({ redirect_status: 307, forward_query: 'keep' });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    vi.setSystemTime('2026-05-20T04:17:00Z');
    const held = holdQueue();
    const response = await enter(isolate, `/${id}/?a=b`, PASSWORD);
    const { 'set-cookie': cookie, 'content-type': type, ...headers } = Object.fromEntries(response.headers);
    const { 'content-type': _, 'content-language': _language, vary: _vary, ...expected } = PAGE_HEADERS;
    expect([response.status, type, headers, await response.text()]).toEqual([
      303,
      undefined,
      { ...expected, location: `/${id}?a=b` },
      '',
    ]);
    const ends = Date.parse('2026-05-20T16:17:00Z') / 1000;
    expect(cookie).toMatch(
      new RegExp(
        `^__Secure-terse-${id}=${ends}\\.[\\w-]{43}; Path=/${id}; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$`,
      ),
    );
    expect(packsOf(held, id)).toEqual([]);
    const trips = await countTrips();
    const led = await isolate(`/${id}/?a=b`, byPerson({ Cookie: `x=y; ${cookieIn(response)}; z=` }));
    expect(ledTo(led)).toEqual([307, `${TARGET}?a=b`]);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a link with a password counts a click when the visitor is redirected, and none for the form', async () => {
    const { id } = await seedLocked();
    const held = holdQueue();
    const isolate = openIsolate();
    await isolate(`/${id}`, byPerson());
    const cookie = await unlocked(isolate, `/${id}`);
    expect(packsOf(held, id)).toEqual([]);
    await isolate(`/${id}`, byPerson({ Cookie: cookie }));
    expect(clicksIn(packsOf(held, id))).toBe(1);
  });

  it('a link with a password gives a wrong one the form and the error, without a cookie and a destination', async () => {
    const { id } = await seedLocked();
    for (const wrong of ['open sesame', '', 'OPEN SESAME Ü', 'x'.repeat(500)]) {
      const response = await enter(openIsolate(), `/${id}`, wrong);
      expect([response.status, Object.fromEntries(response.headers)]).toEqual([403, FORM_HEADERS]);
      expect(squeezed(await response.text())).toBe(
        page('Error: enter the password', {
          action: `/${id}`,
          input: 'aria-invalid="true" aria-describedby="fault"',
          fault: '<p class="fault" id="fault" role="alert">The password is wrong.</p>',
        }),
      );
    }
  });

  it('a link with a password gives a wrong one of a program JSON', async () => {
    const { id } = await seedLocked();
    const response = await enter(openIsolate(), `/${id}`, 'wrong', { Accept: 'application/json' });
    expect([...ledTo(response), response.headers.get('Set-Cookie'), await response.json()]).toEqual([
      403,
      null,
      null,
      { result: 'Failed', error: 'invalid_password: The password is wrong.' },
    ]);
  });

  it('a link with a password takes the password in the other normal form of Unicode', async () => {
    const { id } = await seedLocked();
    expect((await enter(openIsolate(), `/${id}`, PASSWORD.normalize('NFD'))).status).toBe(303);
  });

  it('a link with a password sends browsers from plain http to https before the form, and asks no password there', async () => {
    const { id } = await seedLocked();
    for (const init of [
      {},
      { method: 'HEAD' },
      { method: 'POST', body: new URLSearchParams({ password: PASSWORD }) },
    ]) {
      const response = await call(`http://terse.test/${id}?a=b`, init);
      expect([...ledTo(response), response.headers.get('Set-Cookie'), response.headers.get('Cache-Control')]).toEqual([
        308,
        `https://terse.test/${id}?a=b`,
        null,
        'private, no-store',
      ]);
    }
  });

  it('a link with a password works by plain http on this machine, with a cookie that is not secure', async () => {
    const { id } = await seedLocked();
    const isolate = openIsolate();
    const response = await enter(isolate, `http://localhost/${id}`, PASSWORD);
    const cookie = response.headers.get('Set-Cookie') ?? '';
    expect(cookie).toMatch(new RegExp(`^terse-${id}=[^;]+; Path=/${id}; Max-Age=43200; HttpOnly; SameSite=Lax$`));
    const led = await isolate(`http://localhost/${id}`, byPerson({ Cookie: cookieIn(response) }));
    expect(ledTo(led)).toEqual([302, TARGET]);
  });

  it('a link with a password takes one of 128 characters of four bytes', async () => {
    const { id } = await seedLocked();
    const longest = '🔑'.repeat(128);
    await lock(id, longest);
    expect((await enter(openIsolate(), `/${id}`, longest)).status).toBe(303);
  });

  it('a link with a password refuses a form of more than 8 KiB, and one with two passwords', async () => {
    const { id } = await seedLocked();
    const isolate = openIsolate();
    const post = (body: string) =>
      isolate(`/${id}`, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
    const long = await post(`password=${'x'.repeat(8184)}`);
    expect([long.status, await long.json()]).toEqual([
      413,
      { result: 'Failed', error: 'body_too_large: The body may be at most 8192 bytes long.' },
    ]);
    const twice = await post('password=a&password=b');
    expect([twice.status, await twice.json()]).toEqual([
      400,
      { result: 'Failed', error: 'repeated_field: The field "password" is given more than once.' },
    ]);
  });

  it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])(
    'a link with a password refuses a body of the type %s with 405, without a store',
    async (type) => {
      const { id } = await seedLocked();
      const isolate = openIsolate();
      const trips = await countTrips();
      const response = await isolate(`/${id}`, {
        method: 'POST',
        body: 'password=x',
        headers: { 'Content-Type': type },
      });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
      expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
    },
  );
});

describe('a POST to a link without a password', () => {
  const form = () => ({ method: 'POST', body: new URLSearchParams({ password: 'x' }) });

  it('a POST to a link without a password is 405, whether the link is plain, has other fields, or does not exist', async () => {
    const manager = await open();
    for (const id of [await manager.make(), await manager.make({ redirect_status: 301 }), 'no-such-link', 'a.b']) {
      const response = await call(`/${id}`, form());
      expect([id, response.status, response.headers.get('Allow'), await response.json()]).toEqual([
        id,
        405,
        'GET, HEAD',
        { result: 'Failed', error: 'method_not_allowed: A short link answers GET and HEAD only.' },
      ]);
    }
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { breakD1, breakKv, breakLimiters, D1_FAULTS, KV_FAULTS, LIMITER_FAULTS, mend } from '../support/faults.ts';
import { browse, form, openBrowser, PAGE_HEADERS, pageHeadersOf } from '../support/platform.ts';
import { seedCaller } from '../support/forms.ts';
import { seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/** The pages of the platform on the bad days. */

afterEach(mend);

const REQUESTS: readonly (readonly [name: string, path: string, init: RequestInit | undefined, usual: number])[] = [
  ['GET /platform', '/platform', undefined, 303],
  ['GET /platform/sign-in', '/platform/sign-in', undefined, 303],
  ['GET /platform/account', '/platform/account', undefined, 200],
  ['GET of a client', '/platform/c/CLIENT', undefined, 200],
  ['POST /platform/sign-out', '/platform/sign-out', form({}), 303],
];

async function openPage(path: string) {
  const caller = await seedCaller();
  const { cookie } = await openBrowser(caller);
  const browser = browse(cookie, openIsolate());
  return (init?: RequestInit) => browser(path.replace('CLIENT', caller.clientId), init);
}

describe.each(D1_FAULTS)('while D1 $name', (fault) => {
  it.each(REQUESTS)('%s is a page that says so, and works again afterwards', async (_name, path, init, usual) => {
    const ask = await openPage(path);
    breakD1(fault);
    const response = await ask(init);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(pageHeadersOf(response)).toEqual(PAGE_HEADERS);
    const page = await response.text();
    expect(page).toContain('<h1>This is out of order for the moment</h1>');
    expect(page).not.toMatch(/Nothing has been changed|D1_ERROR/);
    mend();
    expect((await ask(init)).status).toBe(usual);
  });

  it('a password that is right is no sign-in, and keeps no cookie', async () => {
    const tenant = await seedTenant();
    const isolate = openIsolate();
    const sent = form({ name: tenant.userName, password: tenant.password }, { 'CF-Connecting-IP': tenant.address });
    breakD1(fault);
    const response = await isolate('/platform/sign-in', sent);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(response.headers.getSetCookie()).toEqual([]);
    mend();
    expect((await isolate('/platform/sign-in', sent)).status).toBe(303);
  });

  it('the form to sign in is there for whoever has no cookie', async () => {
    breakD1(fault);
    expect((await openIsolate()('/platform/sign-in')).status).toBe(200);
  });
});

describe.each(KV_FAULTS)('while KV $name', (fault) => {
  it.each(REQUESTS)('%s is answered as ever', async (_name, path, init, usual) => {
    const ask = await openPage(path);
    breakKv(fault);
    expect((await ask(init)).status).toBe(usual);
  });
});

describe.each(LIMITER_FAULTS)('while a rate limiter $name', (fault) => {
  it('nobody signs in, which the page says, and all can once it works again', async () => {
    const tenant = await seedTenant();
    const isolate = openIsolate();
    const sent = form({ name: tenant.userName, password: tenant.password }, { 'CF-Connecting-IP': tenant.address });
    breakLimiters(fault);
    const response = await isolate('/platform/sign-in', sent);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
    expect(await response.text()).toContain('<h1>This is out of order for the moment</h1>');
    mend();
    expect((await isolate('/platform/sign-in', sent)).status).toBe(303);
  });

  it.each(REQUESTS)('%s is answered as ever', async (_name, path, init, usual) => {
    const ask = await openPage(path);
    breakLimiters(fault);
    expect((await ask(init)).status).toBe(usual);
  });
});

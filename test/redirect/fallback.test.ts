import { afterEach, expect, it, vi } from 'vitest';
import { CHROME, clicksIn, GOOGLEBOT, holdQueue, packsOf, SLACK } from '../support/clicks.ts';
import { blockHost, unblockHost } from '../../src/targets/blocklist.ts';
import { PASSWORD } from '../support/locked.ts';
import { openManager } from '../support/manage.ts';
import { newHost } from '../support/domains.ts';
import { IPHONE } from '../support/preview-visits.ts';
import { db, seedDomain, seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { byPerson, fromEachStore, ledTo, lock, PAGE_HEADERS } from '../support/visits.ts';

/** Links whose destination opens an app, with a page of the web for visitors without it. */

afterEach(() => void vi.restoreAllMocks());

const APP = 'myapp://open/offer?x=1&y=%22';
const WEB = 'https://example.com/offer';

async function seed(fields: object = {}) {
  const isolate = openIsolate({ DESTINATION_SCHEMES: 'myapp tel' });
  const manager = await openManager(await seedTenant(), isolate);
  return { manager, isolate, id: await manager.make({ url: APP, fallback: WEB, ...fields }) };
}

const waysIn = (page: string) =>
  Array.from(page.matchAll(/<a class="button[^"]*" href="([^"]*)">([^<]*)</g), ([, href, text]) => [
    text,
    href?.replaceAll('&amp;', '&'),
  ]);
const WAYS = [
  ['Open the app', APP],
  ['Continue in the browser', WEB],
];

it('a person at a computer gets two links to the app and to the fallback, without a script, from every store', async () => {
  const { id } = await seed();
  for (const [store, response] of Object.entries(await fromEachStore(`/${id}`))) {
    expect([store, response.status, Object.fromEntries(response.headers)]).toEqual([store, 200, PAGE_HEADERS]);
    const page = await response.text();
    expect([waysIn(page), page.includes('<script')]).toEqual([WAYS, false]);
  }
});

it('a person with a phone gets the page with a script, which has a nonce of its own in each response', async () => {
  const { id, isolate } = await seed();
  const nonces = new Set<string | undefined>();
  for (let visits = 0; visits < 2; visits++) {
    const response = await isolate(`/${id}`, byPerson({ 'User-Agent': IPHONE }));
    const page = await response.text();
    const [, nonce] = /<script nonce="([\w-]{22,})">/.exec(page) ?? [];
    expect([response.status, waysIn(page), page.split('<script').length]).toEqual([200, WAYS, 2]);
    expect(Object.fromEntries(response.headers)).toEqual({
      ...PAGE_HEADERS,
      'content-security-policy': `${PAGE_HEADERS['content-security-policy']}; script-src 'nonce-${nonce}'`,
    });
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});

it('the page of an app is a click when it is given, and none ahead of a visit', async () => {
  const { id, isolate } = await seed();
  const held = holdQueue();
  await isolate(`/${id}`, byPerson({ 'Sec-Purpose': 'prefetch' }));
  expect(packsOf(held, id)).toEqual([]);
  await isolate(`/${id}`, byPerson({ 'User-Agent': IPHONE }));
  await isolate(`/${id}`, byPerson());
  expect(clicksIn(packsOf(held, id))).toBe(2);
});

it.each([GOOGLEBOT, SLACK, '', 'curl/8.5.0'])(
  'a program is redirected to the fallback of an app: %s',
  async (agent) => {
    const { id, isolate } = await seed({ redirect_status: 307 });
    const headers = { 'User-Agent': agent };
    expect(ledTo(await isolate(`/${id}`, { headers }))).toEqual([307, WEB]);
  },
);

it('HEAD is redirected to the fallback of an app, and is no click', async () => {
  const { id, isolate } = await seed();
  const held = holdQueue();
  const response = await isolate(`/${id}`, { method: 'HEAD', ...byPerson({ 'User-Agent': IPHONE }) });
  expect(ledTo(response)).toEqual([302, WEB]);
  expect(packsOf(held, id)).toEqual([]);
});

it('a link preview of an app gets the preview of its owner', async () => {
  const { id, isolate } = await seed({ preview: { title: 'Spring' } });
  const response = await isolate(`/${id}`, { headers: { 'User-Agent': SLACK } });
  const page = await response.text();
  expect([response.status, page.includes('<meta property="og:title" content="Spring" />')]).toEqual([200, true]);
  expect(page).not.toContain('myapp');
});

it('the fallback is for whatever destination of a link opens an app, and for no other', async () => {
  const rules = [{ name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: 'tel:+15550100' }];
  const { id, isolate, manager } = await seed({ url: 'https://example.com/desktop', rules });
  const page = await (await isolate(`/${id}`, byPerson({ 'User-Agent': IPHONE }))).text();
  expect(waysIn(page)).toEqual([['Open the app', 'tel:+15550100'], WAYS[1]]);
  expect(ledTo(await isolate(`/${id}`, byPerson()))).toEqual([302, 'https://example.com/desktop']);
  await manager.ask('PATCH', `/v1/links/${id}`, { fallback: null });
  const after = await isolate(`/${id}`, byPerson({ 'User-Agent': IPHONE }));
  expect(ledTo(after)).toEqual([302, 'tel:+15550100']);
});

it('the fallback of an app takes the query and the path of a visit where the link passes them on', async () => {
  const isolate = openIsolate({ DESTINATION_SCHEMES: 'myapp' });
  const manager = await openManager(await seedTenant(), isolate);
  const custom_domain = await seedDomain(manager.tenant, newHost());
  const slug = `s${crypto.randomUUID()}`;
  const forwarding = { forward_query: 'keep', forward_path: true };
  await manager.make({ url: APP, fallback: WEB, custom_domain, slug, ...forwarding });
  const visit = `https://${custom_domain}/${slug}/a/b?ref=1&via=qr`;
  expect(ledTo(await isolate(visit, { headers: { 'User-Agent': GOOGLEBOT } }))).toEqual([302, `${WEB}/a/b?ref=1`]);
  const page = await (await isolate(visit, byPerson())).text();
  expect(waysIn(page)).toEqual([WAYS[0], ['Continue in the browser', `${WEB}/a/b?ref=1`]]);
});

it('a blocked fallback is 403 for all whom the app would serve, and no name in the URL of an app is blocked', async () => {
  const { id, manager } = await seed({ url: 'myapp://bad-app.example/', fallback: 'https://bad-fallback.example/' });
  const rules = [{ if: [{ type: 'device', in: ['mobile'] }], url: 'myapp://bad-app.example/' }];
  const other = await manager.make({ url: WEB, rules, fallback: WEB });
  const phone = byPerson({ 'User-Agent': IPHONE });
  await blockHost(db, 'bad-app.example');
  expect((await openIsolate()(`/${id}`, phone)).status).toBe(200);
  expect((await openIsolate()(`/${other}`, phone)).status).toBe(200);
  await blockHost(db, 'bad-fallback.example');
  for (const init of [phone, byPerson(), { headers: { 'User-Agent': GOOGLEBOT } }])
    expect((await openIsolate()(`/${id}`, init)).status).toBe(403);
  await unblockHost(db, 'bad-fallback.example');
  expect((await openIsolate()(`/${id}`, phone)).status).toBe(200);
});

it('an app with a click limit takes a click for each page, and shows programs neither the app nor the fallback', async () => {
  const { id, isolate } = await seed({ max_clicks: 1 });
  const program = await isolate(`/${id}`, { headers: { 'User-Agent': GOOGLEBOT } });
  expect([...ledTo(program), /myapp|offer/.test(await program.text())]).toEqual([200, null, false]);
  expect(waysIn(await (await isolate(`/${id}`, byPerson())).text())).toEqual(WAYS);
  expect((await openIsolate()(`/${id}`, byPerson())).status).toBe(410);
});

it('an app behind a password gets its page once the password is entered', async () => {
  const { id, isolate } = await seed();
  await lock(id, PASSWORD);
  const through = openIsolate();
  expect(await (await through(`/${id}`, byPerson())).text()).not.toContain('myapp');
  const entered = await through(`/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ password: PASSWORD }),
    headers: { Accept: 'text/html', 'User-Agent': CHROME, 'CF-Connecting-IP': '192.0.2.7' },
  });
  expect(ledTo(entered)).toEqual([303, `/${id}`]);
  const [cookie = ''] = entered.headers.get('Set-Cookie')?.split(';', 1) ?? [];
  expect(waysIn(await (await isolate(`/${id}`, byPerson({ Cookie: cookie }))).text())).toEqual(WAYS);
});

it('an app of a link that asks first is named with the host of the fallback, and opened by the page after the button', async () => {
  const { id, isolate } = await seed({ ask_first: true });
  const held = holdQueue();
  const question = await (await isolate(`/${id}`, byPerson())).text();
  expect(question).toContain(
    '<p>This link leads to an app on your device: <strong dir="ltr">myapp:</strong>, or without it to <strong dir="ltr">example.com</strong></p>',
  );
  expect([question.includes(APP), packsOf(held, id)]).toEqual([false, []]);
  const asked = /name="asked" value="([^"]+)"/.exec(question)?.[1] ?? '';
  const response = await isolate(`/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ asked }),
    headers: { 'User-Agent': IPHONE, 'Sec-Fetch-Site': 'same-origin', 'CF-Connecting-IP': '192.0.2.8' },
  });
  expect([response.status, waysIn(await response.text())]).toEqual([200, WAYS]);
  expect(clicksIn(packsOf(held, id))).toBe(1);
});

it('an app of a link that asks first is asked for again if the host of its fallback has changed', async () => {
  const { id, isolate, manager } = await seed({ ask_first: true });
  const question = await (await isolate(`/${id}`, byPerson())).text();
  const asked = /name="asked" value="([^"]+)"/.exec(question)?.[1] ?? '';
  await manager.ask('PATCH', `/v1/links/${id}`, { fallback: 'https://other.example/' });
  const response = await isolate(`/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ asked }),
    headers: { 'User-Agent': CHROME, 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(await response.text()).toContain('or without it to <strong dir="ltr">other.example</strong>');
});

it('a link to an app with a fallback says on its public page that some visitors are redirected elsewhere', async () => {
  const { id, isolate } = await seed();
  const page = await (await isolate(`/${id}+`, byPerson({ Accept: 'text/html' }))).text();
  expect(page).toContain('Some visitors may be redirected to another page.');
});

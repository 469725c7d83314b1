import { afterEach, expect, it, vi } from 'vitest';
import { clicksIn, CHROME, GOOGLEBOT, holdQueue, packsOf, SLACK } from '../support/clicks.ts';
import { newAddress } from '../support/address.ts';
import { cookieIn, PASSWORD } from '../support/locked.ts';
import { open, openManager } from '../support/manage.ts';
import { seedTenant } from '../support/seed.ts';
import { openIsolate, ORIGIN, type Call } from '../support/service.ts';
import { byPerson, fromEachStore, FORM_HEADERS, ledTo, lock } from '../support/visits.ts';

/** Links that ask first. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const TARGET = 'https://www.example.com/offer?x=1';
const OWN = { 'Sec-Fetch-Site': 'same-origin' };

async function seed(fields: object = {}) {
  const manager = await open();
  return { manager, id: await manager.make({ url: TARGET, ask_first: true, ...fields }) };
}

const askedIn = (page: string) => /name="asked" value="([^"]+)"/.exec(page)?.[1] ?? '';
const actionIn = (page: string) => /action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
const hostIn = (page: string) => /leads to (.*)<\/p>/.exec(page)?.[1] ?? null;

/** Sends a form with these fields, as a browser does. */
const send = (
  through: Call,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = OWN,
) =>
  through(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Accept: 'text/html', 'User-Agent': CHROME, 'CF-Connecting-IP': newAddress(), ...headers },
  });

/** Opens the page, and presses its button. */
async function consent(through: Call, path: string, headers: Readonly<Record<string, string>> = {}) {
  const page = await (await through(path, byPerson(headers))).text();
  return send(through, actionIn(page), { asked: askedIn(page) });
}

it('a link that asks first shows the host of its destination and a button, from every store, and counts nothing', async () => {
  const { id } = await seed();
  const held = holdQueue();
  for (const [store, response] of Object.entries(await fromEachStore(`/${id}?a=1&b=<`))) {
    expect([store, response.status, Object.fromEntries(response.headers)]).toEqual([store, 200, FORM_HEADERS]);
    const page = await response.text();
    expect(hostIn(page)).toBe('<strong dir="ltr">www.example.com</strong>');
    expect([actionIn(page), page.split('<button').length - 1]).toEqual([`/${id}?a=1&b=%3C`, 1]);
    expect(page).not.toContain('offer');
  }
  expect(packsOf(held, id)).toEqual([]);
});

it('a link that asks first redirects a visitor who presses the button with 303, and counts one click with the referrer of the first request', async () => {
  const { id } = await seed({ redirect_status: 307, forward_query: 'keep' });
  const held = holdQueue();
  const response = await consent(openIsolate(), `/${id}?utm=2`, { Referer: 'https://news.example/private/page?q=1' });
  expect(ledTo(response)).toEqual([303, `${TARGET}&utm=2`]);
  const packs = packsOf(held, id);
  expect(clicksIn(packs)).toBe(1);
  expect(JSON.stringify(packs)).toContain('news.example');
  expect(JSON.stringify(packs)).not.toContain('private');
});

it.each([GOOGLEBOT, SLACK, '', 'curl/8.5.0'])(
  'a link that asks first shows programs no host, and redirects none: %s',
  async (userAgent) => {
    const { id } = await seed();
    const isolate = openIsolate();
    const asked = askedIn(await (await isolate(`/${id}`, byPerson())).text());
    const held = holdQueue();
    const headers = { 'User-Agent': userAgent };
    for (const response of [
      await isolate(`/${id}`, { headers }),
      await isolate(`/${id}`, { method: 'HEAD', headers }),
      await send(isolate, `/${id}`, { asked }, { ...OWN, ...headers }),
    ]) {
      expect(ledTo(response)).toEqual([200, null]);
      expect(await response.text()).not.toContain('example.com');
    }
    expect(packsOf(held, id)).toEqual([]);
  },
);

it.each([
  ['tel:+15550100', 'tel:'],
  ['mailto:a@bank.example', 'mailto:'],
  ['myapp://bank.example/login', 'myapp:'],
])(
  'a link that asks first names an app by the scheme alone, and leads there by its button: %s',
  async (url, scheme) => {
    const isolate = openIsolate({ DESTINATION_SCHEMES: 'tel mailto myapp' });
    const manager = await openManager(await seedTenant(), isolate);
    const id = await manager.make({ url, ask_first: true });
    const page = await (await isolate(`/${id}`, byPerson())).text();
    expect(hostIn(page)).toBe(`an app on your device: <strong dir="ltr">${scheme}</strong>`);
    expect(page).toContain('<h1>Continue in an app?</h1>');
    expect(page).not.toContain(url.slice(scheme.length));
    expect(ledTo(await send(isolate, `/${id}`, { asked: askedIn(page) }))).toEqual([303, url]);
  },
);

it('a link that asks first asks again if an app has become a website of the same name', async () => {
  const isolate = openIsolate({ DESTINATION_SCHEMES: 'myapp' });
  const manager = await openManager(await seedTenant(), isolate);
  const id = await manager.make({ url: 'myapp://bank.example/', ask_first: true });
  const asked = askedIn(await (await isolate(`/${id}`, byPerson())).text());
  await manager.ask('PATCH', `/v1/links/${id}`, { url: 'https://bank.example/' });
  expect((await send(isolate, `/${id}`, { asked })).status).toBe(200);
});

it('a link that asks first gives a link preview the preview of its owner', async () => {
  const { id } = await seed({ preview: { title: 'Spring' } });
  const page = await (await openIsolate()(`/${id}`, { headers: { 'User-Agent': SLACK } })).text();
  expect(page).toContain('<meta property="og:title" content="Spring" />');
});

it.each([
  ['without the page', {}, OWN],
  ['with an invented form', { asked: `${'a'.repeat(20)}.${'b'.repeat(43)}` }, OWN],
  ['from another site', null, { 'Sec-Fetch-Site': 'cross-site' }],
  ['from a host beside', null, { 'Sec-Fetch-Site': 'same-site', Origin: ORIGIN }],
  ['from another site in an old browser', null, { Origin: 'https://evil.example' }],
  ['from a page without an origin', null, { Origin: 'null' }],
  ['from no page', null, {}],
])('a link that asks first asks again if its form comes %s', async (_, fields, headers) => {
  const { id } = await seed({ max_clicks: 1 });
  const isolate = openIsolate();
  const asked = askedIn(await (await isolate(`/${id}`, byPerson())).text());
  const held = holdQueue();
  const response = await send(isolate, `/${id}`, fields ?? { asked }, headers);
  expect([response.status, hostIn(await response.text())]).toEqual([200, '<strong dir="ltr">www.example.com</strong>']);
  expect(packsOf(held, id)).toEqual([]);
  expect(ledTo(await send(isolate, `/${id}`, { asked }, { Origin: ORIGIN }))).toEqual([303, TARGET]);
});

it('a link that asks first takes no form of another link, nor one that is a day old', async () => {
  const [{ id }, { id: other }] = [await seed(), await seed()];
  const isolate = openIsolate();
  const asked = askedIn(await (await isolate(`/${other}`, byPerson())).text());
  expect((await send(isolate, `/${id}`, { asked })).status).toBe(200);
  vi.setSystemTime(Date.now() + 24 * 3600 * 1000);
  expect((await send(isolate, `/${other}`, { asked })).status).toBe(200);
});

it('a link that asks first takes a click of its limit by the button alone', async () => {
  const { id } = await seed({ max_clicks: 1, expired_url: 'https://example.com/over' });
  const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
  const asked = askedIn(await (await isolate(`/${id}`, byPerson())).text());
  for (let visits = 0; visits < 3; visits++) expect((await isolate(`/${id}`, byPerson())).status).toBe(200);
  expect(ledTo(await send(isolate, `/${id}`, { asked }))).toEqual([303, TARGET]);
  expect(ledTo(await openIsolate()(`/${id}`, byPerson()))).toEqual([302, 'https://example.com/over']);
  expect(ledTo(await send(isolate, `/${id}`, { asked }))).toEqual([303, 'https://example.com/over']);
});

it('a link that asks first decides anew, and asks again if the host is another', async () => {
  const { manager, id } = await seed({
    rules: [{ if: [{ type: 'referrer', in: ['news.example'] }], url: 'https://news.example.org/' }],
  });
  const isolate = openIsolate();
  const headers = { Referer: 'https://news.example/' };
  expect(ledTo(await consent(isolate, `/${id}`, headers))).toEqual([303, 'https://news.example.org/']);
  const before = askedIn(await (await isolate(`/${id}`, byPerson(headers))).text());
  await manager.ask('PATCH', `/v1/links/${id}`, { rules: null, url: 'https://other.example/' });
  const again = await send(openIsolate(), `/${id}`, { asked: before });
  const page = await again.text();
  expect([again.status, hostIn(page)]).toEqual([200, '<strong dir="ltr">other.example</strong>']);
  expect(ledTo(await send(openIsolate(), `/${id}`, { asked: askedIn(page) }))).toEqual([303, 'https://other.example/']);
});

it.each([
  ['https://bücher.example/', '<strong dir="ltr">bücher.example</strong> (<bdi dir="ltr">xn--bcher-kva.example</bdi>)'],
  [
    'https://bücher.example:8443/',
    '<strong dir="ltr">bücher.example:8443</strong> (<bdi dir="ltr">xn--bcher-kva.example:8443</bdi>)',
  ],
  ['http://192.0.2.7:81/', '<strong dir="ltr">192.0.2.7:81</strong>'],
  ['http://[2001:db8::1]:81/', '<strong dir="ltr">[2001:db8::1]:81</strong>'],
])('a link that asks first shows the host of %s as %s', async (url, host) => {
  const { id } = await seed({ url });
  const isolate = openIsolate();
  expect(hostIn(await (await isolate(`/${id}`, byPerson())).text())).toBe(host);
  expect(ledTo(await consent(isolate, `/${id}`))[0]).toBe(303);
});

it('a link that asks first and has a password asks for both on one page, and later without the password', async () => {
  const { id } = await seed({ redirect_status: 308 });
  await lock(id, PASSWORD);
  const isolate = openIsolate();
  const page = await (await isolate(`/${id}?q=1`, byPerson())).text();
  expect([hostIn(page), page.includes('name="password"'), page.split('<button').length - 1]).toEqual([
    '<strong dir="ltr">www.example.com</strong>',
    true,
    1,
  ]);
  const asked = askedIn(page);
  const held = holdQueue();
  const wrong = await send(isolate, actionIn(page), { asked, password: 'wrong' });
  const shown = await wrong.text();
  expect([wrong.status, hostIn(shown), wrong.headers.get('Set-Cookie')]).toEqual([
    403,
    '<strong dir="ltr">www.example.com</strong>',
    null,
  ]);
  expect(packsOf(held, id)).toEqual([]);
  const right = await send(isolate, actionIn(shown), { asked: askedIn(shown), password: PASSWORD });
  expect(ledTo(right)).toEqual([303, TARGET]);
  expect(clicksIn(packsOf(held, id))).toBe(1);
  const Cookie = cookieIn(right);
  const later = await isolate(`/${id}`, byPerson({ Cookie }));
  const question = await later.text();
  expect([later.status, question.includes('password'), hostIn(question)]).toEqual([
    200,
    false,
    '<strong dir="ltr">www.example.com</strong>',
  ]);
  expect(ledTo(await send(isolate, `/${id}`, { asked: askedIn(question) }, { ...OWN, Cookie }))).toEqual([303, TARGET]);
});

it('a link that asks first and has a password shows programs and HEAD no host', async () => {
  const { id } = await seed();
  await lock(id, PASSWORD);
  const isolate = openIsolate();
  for (const init of [{ headers: { 'User-Agent': GOOGLEBOT } }, { ...byPerson(), method: 'HEAD' }]) {
    const response = await isolate(`/${id}`, init);
    expect([response.status, (await response.text()).includes('example.com')]).toEqual([200, false]);
  }
});

it('a link that asks first asks for nothing once it has ended', async () => {
  const ended = await seed({ expires_at: new Date(Date.now() + 60_000).toISOString() });
  vi.setSystemTime(Date.now() + 61_000);
  expect((await openIsolate()(`/${ended.id}`, byPerson())).status).toBe(410);
});

it('a link that does not ask first takes no form', async () => {
  const { id } = await seed({ ask_first: false });
  const isolate = openIsolate();
  expect(ledTo(await isolate(`/${id}`, byPerson()))).toEqual([302, TARGET]);
  expect((await send(isolate, `/${id}`, { asked: 'x' })).status).toBe(405);
});

it('a form of a link that asks first is refused beyond 8 KiB', async () => {
  const { id } = await seed();
  const response = await send(openIsolate(), `/${id}`, { asked: 'a'.repeat(9000) });
  expect(response.status).toBe(413);
});

it('a link that asks first counts a visitor of an Android app as one of it', async () => {
  const { id } = await seed();
  const held = holdQueue();
  await consent(openIsolate(), `/${id}`, { Referer: 'android-app://com.example.mail/' });
  expect(JSON.stringify(packsOf(held, id))).toContain('com.example.mail');
});

it('a link that asks first keeps the cookie of a visitor who enters the password after the last click', async () => {
  const { id } = await seed({ max_clicks: 1 });
  await lock(id, PASSWORD);
  const isolate = openIsolate();
  const asked = askedIn(await (await isolate(`/${id}`, byPerson())).text());
  expect(ledTo(await send(isolate, `/${id}`, { asked, password: PASSWORD }))).toEqual([303, TARGET]);
  const late = await send(openIsolate(), `/${id}`, { asked, password: PASSWORD });
  expect([late.status, cookieIn(late)]).toEqual([410, expect.stringMatching(new RegExp(`terse-${id}=`))]);
});

it('a link that no longer asks first redirects a visitor whose page still has the button', async () => {
  const { manager, id } = await seed();
  await lock(id, PASSWORD);
  const isolate = openIsolate();
  const asked = askedIn(await (await isolate(`/${id}`, byPerson())).text());
  const Cookie = cookieIn(await send(isolate, `/${id}`, { asked, password: PASSWORD }));
  await manager.ask('PATCH', `/v1/links/${id}`, { ask_first: false });
  const response = await send(openIsolate(), `/${id}`, { asked }, { ...OWN, Cookie });
  expect(ledTo(response)).toEqual([303, `/${id}`]);
});

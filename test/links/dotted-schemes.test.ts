import { describe, expect, it } from 'vitest';
import { seedTenant } from '../support/seed.ts';
import { newSlug, openManager, type Manager } from '../support/manage.ts';
import { pageFieldsOf } from '../support/page-fields.ts';
import { callTool, dataOf, keyOf } from '../support/mcp.ts';
import { browse, form, openBrowser } from '../support/platform.ts';
import { openIsolate } from '../support/service.ts';
import { shareOf } from '../support/share.ts';

/** Destinations whose scheme, which the operator has named, could be a host with a port. */

const NAMED = { DESTINATION_SCHEMES: 'com.example.app localhost' };
const APP = 'com.example.app:80';
const AS_HOST = 'https://com.example.app:80/';

async function openWith(settings: Readonly<Record<string, string>>) {
  const through = openIsolate(settings);
  const tenant = await seedTenant();
  const manager = await openManager(tenant, through);
  const { cookie } = await openBrowser(tenant);
  return { ...manager, through, page: browse(cookie, through) };
}
type Scene = Awaited<ReturnType<typeof openWith>>;

/** The destination of the only link. */
const urlOfOnly = async ({ ask }: Manager) => {
  const { links } = (await ask<{ links: { url: string }[] }>('GET', '/v1/links')).body;
  expect(links).toHaveLength(1);
  return links[0]?.url;
};

const imported = async (scene: Scene, body: string, type: string, query = '') => {
  const { through, bearer } = scene;
  await through(`/v1/links/import${query}`, { method: 'POST', headers: { ...bearer, 'Content-Type': type }, body });
  return urlOfOnly(scene);
};

const created = async ({ ask, tenant, key }: Manager, fields: object) => {
  const link = { url: 'https://example.com/', client_id: tenant.clientId, ...fields };
  const { body } = await ask<{ result: string }>('POST', '/v1/links', link, key);
  return JSON.parse(body.result) as { id: string; url: string };
};

/** Each way in which a link gets a destination. */
const WAYS: Readonly<Record<string, (scene: Scene, url: string) => Promise<string | null | undefined>>> = {
  create: async (scene, url) => (await created(scene, { url })).url,
  encode: async (scene, url) => {
    const { through, bearer, tenant } = scene;
    const body = new FormData();
    for (const [name, text] of Object.entries({ url, client_id: tenant.clientId })) body.set(name, text);
    await through('/shortener/encode', { method: 'POST', headers: bearer, body });
    return urlOfOnly(scene);
  },
  'a batch': async (scene, url) => {
    const { ask } = scene;
    await ask('POST', '/v1/links/batch', { links: [{ url }] });
    return urlOfOnly(scene);
  },
  'an edit': async ({ ask, make }, url) =>
    (await ask<{ url: string }>('PATCH', `/v1/links/${await make()}`, { url })).body.url,
  'an external id': async ({ ask }, url) =>
    (await ask<{ url: string }>('PUT', `/v1/links-by-external-id/${crypto.randomUUID()}`, { url })).body.url,
  'a rule': async ({ ask, make }, url) => {
    const rules = [{ name: 'All', if: [{ type: 'visitor', in: ['human'] }], url }];
    const { body } = await ask<{ rules: [{ url: string }] }>('PATCH', `/v1/links/${await make()}`, { rules });
    return body.rules[0].url;
  },
  'a file in CSV': async (scene, url) => imported(scene, `url\n${url}\n`, 'text/csv'),
  'a file in NDJSON': async (scene, url) => imported(scene, `${JSON.stringify({ url })}\n`, 'application/x-ndjson'),
  'a file of another service': async (scene, url) =>
    imported(scene, `original_url\tpath\tutm_source\n${url}\t${newSlug()}\t\n`, 'text/csv', '?host=shared'),
  'the form of a new link': async (scene, url) => {
    const { page, tenant } = scene;
    await page(`/platform/c/${tenant.clientId}/links/new`, form({ url }));
    return urlOfOnly(scene);
  },
  'the form of an edit': async (scene, url) => {
    const { page, tenant, make } = scene;
    const id = await make();
    const path = `/platform/c/${tenant.clientId}/links/${id}/edit`;
    const fields = pageFieldsOf(await (await page(path)).text());
    expect((await page(path, form({ ...fields, url }))).status).toBe(303);
    return urlOfOnly(scene);
  },
  MCP: async ({ tenant, through }, url) =>
    (await dataOf(keyOf(tenant), 'create_link', { url }, undefined, through)).url,
};

describe.each(shareOf(Object.entries(WAYS)))('a destination by %s', (_way, send) => {
  it.each([
    ['a named scheme with a dot', APP, APP],
    ['a named scheme with a dot and a path after its number', `${APP}/x?y`, `${APP}/x?y`],
    ['a named scheme that is the name of this machine', 'localhost:8080', 'localhost:8080'],
    ['a host with a port', 'com.example.other:80', 'https://com.example.other:80/'],
  ])('a destination may be %s', async (_what, typed, url) => {
    expect(await send(await openWith(NAMED), typed)).toBe(url);
  });

  it('a destination that begins with a scheme that is not named is a host with a port', async () => {
    expect(await send(await openWith({}), APP)).toBe(AS_HOST);
  });
});

describe('a named scheme with a dot', () => {
  it('a filter of the list by a destination with a dotted scheme finds it, in the API, in MCP and on the page', async () => {
    const scene = await openWith(NAMED);
    const { id } = await created(scene, { url: APP });
    await created(scene, { url: AS_HOST });
    const query = `url=${encodeURIComponent(APP)}`;
    expect((await scene.ask('GET', `/v1/links?${query}`)).body).toMatchObject({ links: [{ id, url: APP }] });
    const { links } = await dataOf(keyOf(scene.tenant), 'find_links', { url: APP }, undefined, scene.through);
    expect(links.map(({ url }) => url)).toEqual([APP]);
    const page = await (await scene.page(`/platform/c/${scene.tenant.clientId}/links?${query}`)).text();
    expect([page.includes(`links/${id}"`), page.includes('1 link<')]).toEqual([true, true]);
  });

  it('a destination with a dotted scheme is restored from the history after the operator has removed the scheme', async () => {
    const before = await openWith(NAMED);
    const { id } = await created(before, { url: APP });
    await before.ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/' });
    const after = await openManager(before.tenant, openIsolate());
    expect((await after.ask('POST', `/v1/links/${id}/history/1/restore`)).body).toMatchObject({ url: APP });
  });

  it('a page of the web cannot have a dotted scheme, so it has a host with a port', async () => {
    const scene = await openWith(NAMED);
    const id = await scene.make();
    const { body } = await scene.ask('PATCH', `/v1/links/${id}`, { expired_url: APP });
    expect(body).toMatchObject({ expired_url: AS_HOST });
  });
});

it('the filter of the page by a scheme that is not named says the error beside its field', async () => {
  const { page, tenant } = await openWith({});
  const response = await page(`/platform/c/${tenant.clientId}/links?url=myapp://open`);
  expect(response.status).toBe(400);
  const sentence = 'This cannot have the scheme myapp: use https, or one of geo, mailto, sms, tel.';
  expect(await response.text()).toContain(sentence);
});

it('a view with a scheme that is not named is not saved', async () => {
  const { page, tenant } = await openWith({});
  const path = `/platform/c/${tenant.clientId}/links/views/new`;
  const response = await page(path, form({ name: 'Apps', query: 'url=myapp://open' }));
  expect(response.status).toBe(400);
});

it('a dotted scheme is refused by MCP where it is not named', async () => {
  const { tenant, through } = await openWith({});
  const { isError, content } = await callTool(keyOf(tenant), 'find_links', { url: 'my.app:open' }, undefined, through);
  expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('cannot have the scheme my.app')]);
});

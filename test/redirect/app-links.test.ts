import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { APP_LINK_PATHS } from '../../src/domains/app-links.ts';
import { failD1 } from '../support/d1.ts';
import { openDomainIsolate, proveByDns, request, rowsOfHost, seedClaim, serveHosts } from '../support/domains.ts';
import { seedCaller } from '../support/forms.ts';
import { seedDomain } from '../support/seed.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';
import { APPLE, ASSETS, change, idOf, ofBytes, seedFiles } from '../support/app-links.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const FILES = [
  ['apple_app_site_association', APP_LINK_PATHS.apple_app_site_association, JSON.stringify(APPLE)],
  ['asset_links', APP_LINK_PATHS.asset_links, JSON.stringify(ASSETS)],
] as const;
const [[, APPLE_PATH], [, ASSETS_PATH, ASSETS_TEXT]] = FILES;

const REFUSAL = {
  'cache-control': 'private, no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'Accept',
};

const responseOf = async (answer: Promise<Response>) => {
  const response = await answer;
  return [response.status, await response.text()];
};

const NOT_FOUND = [404, '{"result":"Failed","error":"not_found: This host has no such file."}'];

describe.each(FILES)('the file %s of a custom domain', (field, path, text) => {
  it('an app link file of a custom domain is served as it was sent, without a redirect', async () => {
    const { host } = await seedFiles();
    const response = await openIsolate()(`https://${host}${path}`);
    expect([response.status, await response.text()]).toEqual([200, text]);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    });
  });

  it('an app link file of a custom domain is served to HEAD without a body, and to no other method', async () => {
    const { host } = await seedFiles();
    const isolate = openIsolate();
    const head = await isolate(`https://${host}${path}?x=1`, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Type'), await head.text()]).toEqual([200, 'application/json', '']);
    const trips = await countTrips();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await isolate(`https://${host}${path}`, { method });
      expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
      expect(await refused.json()).toEqual({
        result: 'Failed',
        error: 'method_not_allowed: This file answers GET and HEAD only.',
      });
    }
    expect(trips()).toMatchObject({ d1: 0 });
  });

  it('an app link file of a custom domain is 404 while the domain has none, and on hosts that are no domain', async () => {
    const host = await seedDomain(await seedCaller());
    for (const each of [host, 'unknown.example']) {
      const response = await openIsolate()(`https://${each}${path}`);
      expect([response.status, await response.clone().text()]).toEqual(NOT_FOUND);
      expect(Object.fromEntries(response.headers)).toMatchObject(REFUSAL);
    }
  });

  it('an app link file of a custom domain is 404 on the service’s own host, and reads no store', async () => {
    const trips = await countTrips();
    expect(await responseOf(openIsolate()(path))).toEqual(NOT_FOUND);
    expect(trips()).toMatchObject({ d1: 0, kvReads: 0 });
  });

  it('an app link file of a custom domain is 404 while the domain is pending, and served while it is lost', async () => {
    const { host } = await seedFiles();
    const setStatus = (status: string) =>
      env.DB.prepare('UPDATE domains SET status = ?2 WHERE host = ?1').bind(host, status).run();
    await setStatus('lost');
    expect(await responseOf(openIsolate()(`https://${host}${path}`))).toEqual([200, text]);
    await setStatus('pending');
    expect(await responseOf(openIsolate()(`https://${host}${path}`))).toEqual(NOT_FOUND);
  });

  it('an app link file of a custom domain is read from the database once', async () => {
    const { host } = await seedFiles();
    const isolate = openIsolate();
    const trips = await countTrips();
    for (let visit = 0; visit < 5; visit++) {
      expect(await responseOf(isolate(`https://${host}${path}`))).toEqual([200, text]);
    }
    expect(trips()).toMatchObject({ d1: 1, kvReads: 0, kvWrites: 0 });
  });

  it('an app link file of a custom domain is read from the database once also if there is none', async () => {
    const host = await seedDomain(await seedCaller());
    const isolate = openIsolate();
    const trips = await countTrips();
    for (let visit = 0; visit < 5; visit++)
      expect(await responseOf(isolate(`https://${host}${path}`))).toEqual(NOT_FOUND);
    expect(trips()).toMatchObject({ d1: 1 });
  });

  it('an app link file of a custom domain is read again after MEMORY_SECONDS, and each time if that is 0', async () => {
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const { caller, host } = await seedFiles();
    const [remembering, forgetful] = [openIsolate({ MEMORY_SECONDS: '30' }), openIsolate({ MEMORY_SECONDS: '0' })];
    const visit = (isolate: Call) => responseOf(isolate(`https://${host}${path}`));
    for (const isolate of [remembering, forgetful]) expect(await visit(isolate)).toEqual([200, text]);
    await change(caller, host, { [field]: null });
    vi.setSystemTime('2026-05-20T10:00:29.999Z');
    expect(await visit(remembering)).toEqual([200, text]);
    expect(await visit(forgetful)).toEqual(NOT_FOUND);
    vi.setSystemTime('2026-05-20T10:00:30Z');
    expect(await visit(remembering)).toEqual(NOT_FOUND);
  });

  it('an app link file of a custom domain shows an edit at once in the isolate that wrote it', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const isolate = openDomainIsolate();
    const visit = () => responseOf(isolate(`https://${host}${path}`));
    expect(await visit()).toEqual(NOT_FOUND);
    await change(caller, host, { [field]: text }, isolate);
    expect(await visit()).toEqual([200, text]);
    await change(caller, host, { [field]: `${text}\n` }, isolate);
    expect(await visit()).toEqual([200, `${text}\n`]);
    await change(caller, host, { [field]: null }, isolate);
    expect(await visit()).toEqual(NOT_FOUND);
  });

  it('an app link file of a custom domain is 404 at once in the isolate that removes the domain', async () => {
    const { caller, host } = await seedFiles();
    const isolate = openDomainIsolate();
    expect(await responseOf(isolate(`https://${host}${path}`))).toEqual([200, text]);
    const removal = { method: 'DELETE', through: isolate };
    expect((await request(caller, `/v1/domains/${await idOf(host)}`, removal)).status).toBe(204);
    expect(await responseOf(isolate(`https://${host}${path}`))).toEqual(NOT_FOUND);
  });

  it('an app link file of a custom domain is that of the client which verified the host last, at once in the isolate that verified it', async () => {
    serveHosts();
    const { host } = await seedFiles();
    const isolate = openDomainIsolate();
    expect(await responseOf(isolate(`https://${host}${path}`))).toEqual([200, text]);
    const other = await seedCaller();
    const claim = await seedClaim(other, { host });
    await proveByDns(claim);
    await request(other, `/v1/domains/${claim.id}/verify`, { method: 'POST', through: isolate });
    const serving = (await rowsOfHost(host)).filter((row) => row['status'] === 'active');
    expect(serving.map((row) => row['id'])).toEqual([claim.id]);
    expect(await responseOf(isolate(`https://${host}${path}`))).toEqual(NOT_FOUND);
  });

  it('an app link file of a custom domain is 503 if it is not remembered and the database does not respond, and 200 if it is remembered', async () => {
    const { host } = await seedFiles();
    const isolate = openIsolate();
    expect((await isolate(`https://${host}${path}`)).status).toBe(200);
    failD1();
    expect(await responseOf(isolate(`https://${host}${path}`))).toEqual([200, text]);
    const cold = await openIsolate()(`https://${host}${path}`);
    expect([cold.status, cold.headers.get('Retry-After'), await cold.json()]).toEqual([
      503,
      '5',
      {
        result: 'Failed',
        error: 'store_unavailable: The database is temporarily unavailable. Try again in a few seconds.',
      },
    ]);
  });

  it('an app link file of a custom domain cannot be a short link of the domain', async () => {
    const { caller, host } = await seedFiles();
    const refused = await openIsolate()('/v1/links', {
      headers: { 'X-API-Key': caller.apiKey },
      form: { url: 'https://example.com/', client_id: caller.clientId, custom_domain: host, slug: path.slice(1) },
    });
    expect(refused.status).toBe(400);
  });
});

it('both files of a domain are remembered, each by its own path, in capital letters of the host too', async () => {
  const { host } = await seedFiles();
  const isolate = openIsolate();
  for (let visit = 0; visit < 2; visit++) {
    for (const [, path, text] of FILES) {
      expect(await responseOf(isolate(`https://${host.toUpperCase()}${path}`))).toEqual([200, text]);
    }
  }
});

it('a path that is almost that of an app link file is none', async () => {
  const { host } = await seedFiles();
  for (const path of [
    `${APPLE_PATH}/`,
    `${APPLE_PATH}.json`,
    ASSETS_PATH.toUpperCase(),
    '/apple-app-site-association',
    '/.well-known/asset_links',
  ]) {
    expect((await openIsolate()(`https://${host}${path}`)).status).toBe(404);
  }
});

it('a browser that finds no app link file gets a page', async () => {
  const host = await seedDomain(await seedCaller());
  const response = await openIsolate()(`https://${host}${ASSETS_PATH}`, { headers: { Accept: 'text/html' } });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8']);
});

it('a response of the database from before an edit is not remembered as an app link file', async () => {
  const { caller, host } = await seedFiles();
  const isolate = openDomainIsolate();
  const batch = env.DB.batch.bind(env.DB);
  const { promise: isEdited, resolve: release } = Promise.withResolvers<void>();
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  vi.spyOn(env.DB, 'batch').mockImplementationOnce(async <T>(statements: D1PreparedStatement[]) => {
    const results = await batch<T>(statements);
    read();
    await isEdited;
    return results;
  });
  const early = responseOf(isolate(`https://${host}${ASSETS_PATH}`));
  await isRead;
  await change(caller, host, { asset_links: null }, isolate);
  release();
  expect(await early).toEqual([200, ASSETS_TEXT]);
  expect(await responseOf(isolate(`https://${host}${ASSETS_PATH}`))).toEqual(NOT_FOUND);
});

it('an app link file of 128 KB is served whole', async () => {
  const caller = await seedCaller();
  const host = await seedDomain(caller);
  const text = ofBytes('asset_links', 128 * 1024);
  await change(caller, host, { asset_links: text });
  expect(await responseOf(openIsolate()(`https://${host}${ASSETS_PATH}`))).toEqual([200, text]);
});

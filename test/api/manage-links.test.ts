import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { openManager } from '../support/manage.ts';
import { NO_CLICKS, rowsOf, seedDomain, seedTenant } from '../support/seed.ts';
import { call, openIsolate, ORIGIN } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const open = async () => openManager(await seedTenant());
const follow = async (path: string) => {
  const response = await call(path);
  return [response.status, response.headers.get('Location')];
};
const failed = (error: string) => ({ result: 'Failed', error: expect.stringMatching(new RegExp(`^${error}: `)) });
const slug = () => `S-${crypto.randomUUID().slice(0, 8)}`;

describe('a link', () => {
  it('is told whole, with its clicks and an ETag that clicks do not move', async () => {
    const { make, ask, tenant } = await open();
    const id = await make({ sec_id: 'print', campaign_name: 'Spring', metadata: '{"a":1}' });
    const { status, body, headers } = await ask('GET', `/v1/links/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      short_url: `${ORIGIN}/${id}`,
      url: 'https://example.com/',
      client_id: tenant.clientId,
      sec_id: 'print',
      campaign_name: 'Spring',
      custom_domain: null,
      metadata: '{"a":1}',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      slug: id,
      aliases: [],
      expires_at: null,
      disabled: false,
      state: 'active',
      updated_at: body['created_at'],
      clicks: NO_CLICKS,
    });
    expect(headers.get('ETag')).toMatch(/^"\d+"$/);
  });

  it('is read in one trip and edited in two, with one KV write', async () => {
    const { make, ask } = await open();
    const id = await make();
    const trips = countTrips();
    await ask('GET', `/v1/links/${id}`);
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' });
    expect(trips()).toEqual({ d1: 3, kvReads: 0, kvWrites: 1 });
  });

  it('changes where it is told to, and nowhere else', async () => {
    const { make, ask, read } = await open();
    const id = await make({ sec_id: 's', campaign_name: 'Spring', metadata: '{}' });
    const before = await read(id);
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const change = { url: 'https://example.com/new?a=b', campaign_name: null, expires_at, sec_id: 't' };
    const { status, body, headers } = await ask('PATCH', `/v1/links/${id}`, change);
    expect(status).toBe(200);
    const { clicks: _, ...rest } = before as typeof before & { clicks: unknown };
    expect(body).toEqual({ ...rest, ...change, updated_at: expect.any(String) });
    expect((await ask('GET', `/v1/links/${id}`)).headers.get('ETag')).toBe(headers.get('ETag'));
    expect(await follow(`/${id}`)).toEqual([302, 'https://example.com/new?a=b']);
    expect((await ask('PATCH', `/v1/links/${id}`, { expires_at: null, metadata: null })).body).toMatchObject({
      expires_at: null,
      metadata: null,
    });
  });

  it('is as it was after an edit that changes nothing', async () => {
    const { make, ask, read } = await open();
    const id = await make();
    const before = await read(id);
    expect((await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/' })).status).toBe(200);
    expect((await ask('PATCH', `/v1/links/${id}`, {})).status).toBe(200);
    expect(await read(id)).toEqual(before);
    expect((await rowsOf('link_history')).filter((row) => row['link_id'] === id)).toEqual([]);
  });

  it('goes through its states: disabled, enabled, expired, deleted, restored', async () => {
    const { make, ask, read } = await open();
    const id = await make();
    expect((await ask('PATCH', `/v1/links/${id}`, { disabled: true })).body).toMatchObject({ state: 'disabled' });
    expect(await follow(`/${id}`)).toEqual([410, null]);
    await ask('PATCH', `/v1/links/${id}`, { disabled: false });
    expect(await follow(`/${id}`)).toEqual([302, 'https://example.com/']);
    await ask('PATCH', `/v1/links/${id}`, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    vi.setSystemTime(Date.now() + 60_000);
    expect(await read(id)).toMatchObject({ state: 'expired' });
    expect(await follow(`/${id}`)).toEqual([410, null]);
    await ask('PATCH', `/v1/links/${id}`, { expires_at: null });
    expect(await ask('DELETE', `/v1/links/${id}`)).toMatchObject({ status: 204, body: null });
    expect(await read(id)).toMatchObject({ state: 'deleted' });
    expect(await follow(`/${id}`)).toEqual([410, null]);
    expect((await ask('DELETE', `/v1/links/${id}`)).status).toBe(204);
    expect(await ask('PATCH', `/v1/links/${id}`, { disabled: true })).toMatchObject({
      status: 409,
      body: failed('link_deleted'),
    });
    expect(await ask('POST', `/v1/links/${id}/restore`)).toMatchObject({ status: 200, body: { state: 'active' } });
    expect(await follow(`/${id}`)).toEqual([302, 'https://example.com/']);
  });

  it('cannot be restored after 30 days', async () => {
    const { make, ask } = await open();
    const id = await make();
    await ask('DELETE', `/v1/links/${id}`);
    await env.DB.prepare('UPDATE links SET deleted_at = ?2 WHERE id = ?1')
      .bind(id, Date.now() - 30 * 24 * 3_600_000)
      .run();
    expect(await ask('POST', `/v1/links/${id}/restore`)).toMatchObject({ status: 404, body: failed('not_found') });
  });
});

describe('a change of the slug', () => {
  it('keeps the old one as an alias, which can be taken back or given up', async () => {
    const { make, ask, read } = await open();
    const [first, second] = [slug(), slug()];
    const id = await make({ slug: first });
    expect((await ask('PATCH', `/v1/links/${id}`, { slug: second })).body).toMatchObject({
      slug: second,
      aliases: [first],
      short_url: `${ORIGIN}/${second}`,
    });
    for (const path of [`/${first}`, `/${second}`]) expect(await follow(path)).toEqual([302, 'https://example.com/']);
    expect((await ask('PATCH', `/v1/links/${id}`, { slug: first })).body).toMatchObject({
      slug: first,
      aliases: [second],
    });
    expect((await ask('PATCH', `/v1/links/${id}`, { aliases: [] })).body).toMatchObject({ slug: first, aliases: [] });
    expect(await follow(`/${second}`)).toEqual([404, null]);
    expect(await follow(`/${first}`)).toEqual([302, 'https://example.com/']);
    expect(await read(id)).toMatchObject({ aliases: [] });
    expect(await env.LINKS.get(`/${second}`)).toBeNull();
  });

  it('is refused where the slug is taken, also by an alias, a deleted link, or in other capitals', async () => {
    const [mine, others] = [await open(), await open()];
    const [live, alias, dead] = [slug(), slug(), slug()];
    const other = await others.make({ slug: alias });
    await others.ask('PATCH', `/v1/links/${other}`, { slug: live });
    const gone = await others.make({ slug: dead });
    await others.ask('DELETE', `/v1/links/${gone}`);
    const id = await mine.make();
    for (const taken of [live, alias, dead, live.toLowerCase(), alias.toUpperCase()]) {
      expect(await mine.ask('PATCH', `/v1/links/${id}`, { slug: taken })).toMatchObject({
        status: 409,
        body: failed('slug_taken'),
      });
      const create = { url: 'https://example.com/', client_id: mine.tenant.clientId, slug: taken };
      expect(await mine.ask('POST', '/v1/links', create, mine.key)).toMatchObject({ status: 409 });
    }
    expect(await mine.read(id)).toMatchObject({ slug: id, aliases: [] });
    expect((await rowsOf('addresses')).filter((row) => row['link_id'] === id)).toHaveLength(1);
  });

  it('may take a slug that is in use on another host', async () => {
    const mine = await open();
    const host = await seedDomain(mine.tenant);
    const name = slug();
    await mine.make({ slug: name, url: 'https://example.com/own' });
    await mine.make({ slug: name, custom_domain: host, url: 'https://example.com/custom' });
    expect(await follow(`/${name}`)).toEqual([302, 'https://example.com/own']);
    expect(await follow(`https://${host}/${name}`)).toEqual([302, 'https://example.com/custom']);
  });

  it('keeps at most 20 aliases', async () => {
    const { make, ask } = await open();
    const id = await make();
    for (let i = 0; i < 20; i++) expect((await ask('PATCH', `/v1/links/${id}`, { slug: slug() })).status).toBe(200);
    const next = slug();
    expect(await ask('PATCH', `/v1/links/${id}`, { slug: next })).toMatchObject({
      status: 409,
      body: failed('too_many_aliases'),
    });
    expect((await rowsOf('addresses')).filter((row) => row['link_id'] === id)).toHaveLength(21);
    const { body } = await ask<{ aliases: string[] }>('GET', `/v1/links/${id}`);
    const aliases = body.aliases.slice(1);
    expect((await ask('PATCH', `/v1/links/${id}`, { slug: next, aliases })).body).toMatchObject({ slug: next });
  });

  it.each(['Grüße', '東京', 'a_b-C', 'x'.repeat(64)])('takes %s', async (name) => {
    const { make } = await open();
    const unique = `${name.slice(0, 58)}${crypto.randomUUID().slice(0, 6)}`;
    const id = await make({ slug: unique.normalize('NFD'), url: 'https://example.com/x' });
    expect(await follow(`/${encodeURIComponent(unique.normalize('NFC'))}`)).toEqual([302, 'https://example.com/x']);
    expect(id).not.toBe(unique);
  });

  it.each(['a b', 'a/b', 'a.b', '', 'x'.repeat(65), 'v1', 'Info', 'TOKENS', 'changelog', 'assets', 7])(
    'refuses %j',
    async (name) => {
      const { make, ask, tenant, key } = await open();
      const id = await make();
      const create = { url: 'https://example.com/', client_id: tenant.clientId, slug: name };
      const host = await seedDomain(tenant);
      if (name !== '') {
        const body = failed('invalid_slug');
        expect(await ask('PATCH', `/v1/links/${id}`, { slug: name })).toMatchObject({ status: 400, body });
        expect(await ask('POST', '/v1/links', create, key)).toMatchObject({ status: 400, body });
        expect(await ask('POST', '/v1/links', { ...create, custom_domain: host }, key)).toMatchObject({ status: 400 });
      }
    },
  );
});

describe('If-Match', () => {
  it.each(['PATCH', 'DELETE', 'restore'])('guards %s against a stale view', async (what) => {
    const { make, ask, read, bearer } = await open();
    const id = await make();
    const etag = (await ask('GET', `/v1/links/${id}`)).headers.get('ETag') ?? '';
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/newer' });
    if (what === 'restore') await ask('DELETE', `/v1/links/${id}`);
    const before = await read(id);
    const send = (tag: string) =>
      what === 'restore'
        ? ask('POST', `/v1/links/${id}/restore`, undefined, { ...bearer, 'If-Match': tag })
        : ask(what, `/v1/links/${id}`, what === 'PATCH' ? { disabled: true } : undefined, {
            ...bearer,
            'If-Match': tag,
          });
    for (const tag of [etag, `W/${etag}`, '"x"', 'nonsense']) {
      expect(await send(tag)).toMatchObject({ status: 412, body: failed('precondition_failed') });
    }
    expect(await read(id)).toEqual(before);
    const current = (await ask('GET', `/v1/links/${id}`)).headers.get('ETag');
    expect((await send(`"x", W/${current}`)).status).toBeLessThan(300);
  });

  it('leaves one winner of two edits with one ETag, and one 412', async () => {
    const { make, ask, bearer } = await open();
    const id = await make();
    const etag = (await ask('GET', `/v1/links/${id}`)).headers.get('ETag') ?? '';
    const edits = await Promise.all(
      ['a', 'b'].map((path) =>
        ask('PATCH', `/v1/links/${id}`, { url: `https://example.com/${path}` }, { ...bearer, 'If-Match': etag }),
      ),
    );
    expect(edits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const winner = edits.find(({ status }) => status === 200);
    expect((await ask('GET', `/v1/links/${id}`)).body).toMatchObject({ url: winner?.body['url'] });
    expect((await rowsOf('link_history')).filter((row) => row['link_id'] === id)).toHaveLength(2);
  });

  it('is not needed: of edits without it both are made', async () => {
    const { make, ask, read } = await open();
    const id = await make();
    const edits = await Promise.all([
      ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' }),
      ask('PATCH', `/v1/links/${id}`, { campaign_name: 'new' }),
    ]);
    expect(edits.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read(id)).toMatchObject({ url: 'https://example.com/new', campaign_name: 'new' });
  });

  it('gives a slug that two clients ask for at once to one of them', async () => {
    const callers = [await open(), await open()];
    const ids = await Promise.all(callers.map(({ make }) => make()));
    const name = slug();
    const edits = await Promise.all(
      callers.map(({ ask }, index) => ask('PATCH', `/v1/links/${ids[index]}`, { slug: name })),
    );
    expect(edits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('a bad edit', () => {
  it.each<[fields: unknown, code: string]>([
    [{ url: 'ftp://example.com' }, 'invalid_url'],
    [{ url: null }, 'invalid_url'],
    [{ url: 7 }, 'invalid_url'],
    [{ url: `${ORIGIN}/x` }, 'own_host'],
    [{ colour: 'red' }, 'unknown_field'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'invalid_expires_at'],
    [{ expires_at: 'tomorrow' }, 'invalid_expires_at'],
    [{ disabled: 'yes' }, 'invalid_disabled'],
    [{ aliases: ['not-mine'] }, 'invalid_aliases'],
    [{ metadata: '{' }, 'invalid_metadata'],
    [{ metadata: { a: 1 } }, 'invalid_metadata'],
    [{ client_id: 'other' }, 'unknown_field'],
    [[], 'malformed_body'],
  ])('%j is 400 and changes nothing', async (fields, code) => {
    const { make, ask, read } = await open();
    const id = await make();
    const before = await read(id);
    expect(await ask('PATCH', `/v1/links/${id}`, fields)).toMatchObject({ status: 400, body: failed(code) });
    expect(await read(id)).toEqual(before);
  });

  it('to an active custom domain is refused as a circle', async () => {
    const { make, ask, tenant } = await open();
    const id = await make();
    const host = await seedDomain(tenant);
    expect(await ask('PATCH', `/v1/links/${id}`, { url: `https://${host}/x` })).toMatchObject({
      status: 400,
      body: failed('own_host'),
    });
  });
});

describe('the history', () => {
  it('says who changed what when, and puts a former target back', async () => {
    const { make, ask, tenant, key, bearer } = await open();
    const id = await make();
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/2', campaign_name: 'x' }, key);
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/3', disabled: true });
    const { status, body } = await ask<{ history: Record<string, unknown>[] }>('GET', `/v1/links/${id}/history`);
    expect(status).toBe(200);
    const at = expect.stringMatching(/Z$/);
    const keyId = tenant.apiKey.split('_')[1];
    expect(body).toEqual({
      history: [
        {
          n: 3,
          at,
          action: 'edited',
          by: { user: tenant.userName, key_id: null },
          url: 'https://example.com/3',
          changes: {
            url: { from: 'https://example.com/2', to: 'https://example.com/3' },
            disabled_at: { from: null, to: at },
          },
        },
        {
          n: 2,
          at,
          action: 'edited',
          by: { user: tenant.userName, key_id: keyId },
          url: 'https://example.com/2',
          changes: {
            url: { from: 'https://example.com/', to: 'https://example.com/2' },
            campaign_name: { from: null, to: 'x' },
          },
        },
        {
          n: 1,
          at,
          action: 'created',
          by: { user: tenant.userName, key_id: keyId },
          url: 'https://example.com/',
          changes: {},
        },
      ],
      cursor: null,
    });
    const stale = { ...bearer, 'If-Match': '"1"' };
    expect((await ask('POST', `/v1/links/${id}/history/1/restore`, undefined, stale)).status).toBe(412);
    expect((await ask('POST', `/v1/links/${id}/history/1/restore`)).body).toMatchObject({
      url: 'https://example.com/',
    });
    expect((await ask('POST', `/v1/links/${id}/history/9/restore`)).status).toBe(404);
    const after = await ask<{ history: unknown[] }>('GET', `/v1/links/${id}/history`);
    expect(after.body.history).toHaveLength(4);
  });

  it('of a link that never changed is its creation', async () => {
    const { make, ask } = await open();
    const id = await make();
    const { body } = await ask<{ history: unknown[] }>('GET', `/v1/links/${id}/history`);
    expect(body.history).toMatchObject([{ n: 1, action: 'created', url: 'https://example.com/' }]);
    expect((await ask('POST', `/v1/links/${id}/history/1/restore`)).status).toBe(200);
    expect((await ask('POST', `/v1/links/${id}/history/2/restore`)).status).toBe(404);
  });

  it('puts no target back that today’s rules refuse', async () => {
    const { make, ask, tenant } = await open();
    const host = `${crypto.randomUUID().slice(0, 8)}.example`;
    const id = await make({ url: `https://${host}/` });
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/2' });
    await seedDomain(tenant, host);
    expect(await ask('POST', `/v1/links/${id}/history/1/restore`)).toMatchObject({
      status: 400,
      body: failed('own_host'),
    });
  });
});

describe('30 days after a deletion', () => {
  it('the content goes and the address stays reserved', async () => {
    const manager = await open();
    const name = slug();
    const fields = {
      slug: name,
      url: 'https://example.com/secret',
      sec_id: 's',
      metadata: '{"a":1}',
      campaign_name: 'c',
    };
    const [gone, kept] = [await manager.make(fields), await manager.make()];
    await manager.ask('PATCH', `/v1/links/${gone}`, { url: 'https://example.com/other-secret' });
    for (const id of [gone, kept]) await manager.ask('DELETE', `/v1/links/${id}`);
    const month = 30 * 24 * 3_600_000;
    await env.DB.prepare('UPDATE links SET deleted_at = deleted_at - ?2 WHERE id = ?1').bind(gone, month).run();
    await worker.scheduled(createScheduledController(), env);
    const rows = (await rowsOf('links')).filter((row) => row['id'] === gone);
    expect(rows).toMatchObject([{ url: '', sec_id: '', metadata: null, campaign_name: null }]);
    expect((await rowsOf('link_history')).filter((row) => row['link_id'] === gone)).toEqual([]);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/restore'],
      ['GET', '/history'],
    ]) {
      expect((await manager.ask(method!, `/v1/links/${gone}${path}`)).status).toBe(404);
    }
    expect((await openIsolate()(`/${name}`)).status).toBe(410);
    const again = { url: 'https://example.com/', client_id: manager.tenant.clientId, slug: name };
    expect((await manager.ask('POST', '/v1/links', again, manager.key)).status).toBe(409);
    expect((await manager.ask('POST', `/v1/links/${kept}/restore`)).status).toBe(200);
  });
});

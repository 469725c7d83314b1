import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { disableUser } from '../../src/accounts/operator.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { open } from '../support/manage.ts';
import { answer, ask, seedKey, seedMember } from '../support/management.ts';
import { db, rowsOf, seedDomain } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => vi.restoreAllMocks());

const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

/** The part of a link that its create does not return. */
interface Clicks {
  readonly clicks: unknown;
  readonly clicks_left: unknown;
}

describe('POST /v1/links/batch', () => {
  it('POST /v1/links/batch creates a hundred links in one round trip', async () => {
    const { ask, key, tenant } = await open();
    const links = Array.from({ length: 100 }, (_, i) => ({
      url: `https://example.com/${i}`,
      client_id: tenant.clientId,
    }));
    const trips = await countTrips();
    const { status, body } = await ask<{ results: { status: number; link: { url: string } }[] }>(
      'POST',
      '/v1/links/batch',
      { links },
      key,
    );
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    expect(status).toBe(200);
    expect(body.results.map((item) => [item.status, item.link.url])).toEqual(links.map(({ url }) => [201, url]));
    expect(await linksOf(tenant.clientId)).toHaveLength(100);
  });

  it('POST /v1/links/batch creates a hundred links to hosts of very many labels', async () => {
    const { ask, tenant } = await open();
    const url = `https://${'a.'.repeat(1000)}example/`;
    const links = Array.from({ length: 100 }, () => ({ url, client_id: tenant.clientId }));
    const { body } = await ask<{ results: { status: number }[] }>('POST', '/v1/links/batch', { links });
    expect(new Set(body.results.map((item) => item.status))).toEqual(new Set([201]));
    expect(await linksOf(tenant.clientId)).toHaveLength(100);
  });

  it('POST /v1/links/batch creates links on a custom domain and on its own host, with one slug on both', async () => {
    const { ask, tenant } = await open();
    const custom_domain = await seedDomain(tenant);
    const slug = `s-${crypto.randomUUID().slice(0, 8)}`;
    const base = { url: 'https://example.com/', client_id: tenant.clientId };
    const links = [{ ...base, slug }, { ...base, slug, custom_domain }, { ...base, custom_domain }, base];
    const { body } = await ask<{ results: { status: number; link: { short_url: string; id: string } }[] }>(
      'POST',
      '/v1/links/batch',
      { links },
    );
    expect(body.results.map((item) => item.status)).toEqual([201, 201, 201, 201]);
    const [own, custom] = [ORIGIN, `https://${custom_domain}`];
    expect(body.results.map(({ link }) => link.short_url)).toEqual([
      `${own}/${slug}`,
      `${custom}/${slug}`,
      `${custom}/${body.results[2]?.link.id}`,
      `${own}/${body.results[3]?.link.id}`,
    ]);
    expect(await linksOf(tenant.clientId)).toHaveLength(4);
  });

  it('POST /v1/links/batch creates the valid links of a mixed batch, and gives the result of each, in order', async () => {
    const { ask, tenant, read } = await open();
    const slug = `s-${crypto.randomUUID().slice(0, 8)}`;
    const base = { url: 'https://example.com/', client_id: tenant.clientId };
    const { status, body } = await ask<{ results: { status: number; error?: string; link?: { id: string } }[] }>(
      'POST',
      '/v1/links/batch',
      {
        links: [
          { ...base, slug },
          { ...base, url: 'nowhere' },
          { ...base, slug: slug.toUpperCase() },
          { ...base, client_id: 'another' },
          { ...base, custom_domain: 'not-mine.example' },
          { ...base, colour: 'red' },
          base,
        ],
      },
    );
    expect(status).toBe(200);
    expect(body.results.map((item) => item.error?.split(':')[0] ?? item.status)).toEqual([
      201,
      'invalid_url',
      'slug_taken',
      'wrong_client',
      'unknown_domain',
      'unknown_field',
      201,
    ]);
    expect(body.results.map((item) => item.status)).toEqual([201, 400, 409, 403, 400, 400, 201]);
    expect(await linksOf(tenant.clientId)).toHaveLength(2);
    const [first] = body.results;
    const { clicks: _, clicks_left: _left, ...link } = (await read(first?.link?.id ?? '')) as unknown as Clicks;
    expect(first?.link).toEqual(link);
  });

  it('POST /v1/links/batch lists all invalid fields of a link, 16 at most', async () => {
    const { ask, tenant } = await open();
    const unknown = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`colour${index}`, 1]));
    const links = [{ url: 'nowhere', client_id: '..', sec_id: '..', colour: 1 }, unknown];
    const { body } = await ask<{ results: { error: string; errors: { field: string; detail: string }[] }[] }>(
      'POST',
      '/v1/links/batch',
      { links: links.map((link) => ({ client_id: tenant.clientId, ...link })) },
    );
    const [first, second] = body.results;
    const [fault] = first!.errors;
    expect(first).toMatchObject({ outcome: 'error', status: 400, error: `invalid_url: ${fault?.detail}` });
    expect(first?.errors.map(({ field }) => field)).toEqual(['url', 'client_id', 'sec_id', 'colour']);
    expect(second?.errors).toHaveLength(16);
  });

  it.each<[what: string, body: unknown, status: number]>([
    ['no list', {}, 400],
    ['an empty list', { links: [] }, 400],
    ['101 links', { links: Array.from({ length: 101 }, () => ({})) }, 400],
    ['something that is no link', { links: [7] }, 400],
  ])('POST /v1/links/batch refuses %s', async (_, body, status) => {
    const { ask, key } = await open();
    expect((await ask('POST', '/v1/links/batch', body, key)).status).toBe(status);
  });

  it('POST /v1/links/batch says of an item that is none what it has to be', async () => {
    const { ask, key } = await open();
    const body = { result: 'Failed', error: 'invalid_links: links.1 must be an object.' };
    expect(await ask('POST', '/v1/links/batch', { links: [{}, 'x'] }, key)).toMatchObject({ status: 400, body });
  });

  it('POST /v1/links/batch is refused as a whole to a credential that no longer counts', async () => {
    const { ask, tenant } = await open();
    const key = { 'X-API-Key': `tk_${'x'.repeat(12)}_${'y'.repeat(43)}` };
    const links = [{ url: 'https://example.com/', client_id: tenant.clientId }];
    expect((await ask('POST', '/v1/links/batch', { links }, key)).status).toBe(401);
  });
});

describe('the permission to send a batch', () => {
  const send = (caller: Caller, headers: Record<string, string>, fields: object = {}) =>
    call('/v1/links/batch', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ links: [{ url: 'https://example.com/', client_id: caller.clientId, ...fields }] }),
    });
  const keyHeader = (key: string) => ({ 'X-API-Key': key });

  it.each<[what: string, headersOf: (owner: Caller) => Promise<Record<string, string>>]>([
    ['an owner', async (owner) => bearerOf(owner)],
    ['a member', async (owner) => bearerOf(await seedMember(owner))],
    ['an api_token', async (owner) => keyHeader(owner.apiToken)],
    ['a key with links:write alone', async (owner) => keyHeader((await seedKey(owner, ['links:write'])).key)],
  ])('the permission to send a batch takes one of %s', async (_what, headersOf) => {
    const owner = await seedCaller();
    const { results } = await answer<{ results: unknown[] }>(await send(owner, await headersOf(owner)));
    expect(results).toMatchObject([{ status: 201 }]);
    expect(await linksOf(owner.clientId)).toHaveLength(1);
  });

  it('a batch creates nothing for another tenant', async () => {
    const [owner, stranger] = [await seedCaller(), await seedCaller()];
    const { results } = await answer<{ results: unknown[] }>(await send(owner, bearerOf(stranger)));
    const error = expect.stringMatching(/^wrong_client: /);
    expect(results).toEqual([{ outcome: 'error', status: 403, error }]);
    expect(await linksOf(owner.clientId)).toEqual([]);
  });

  it.each<[what: string, status: number, code: string, headersOf: (owner: Caller) => Promise<Record<string, string>>]>([
    ['who shows nothing', 401, 'missing_credential', async () => ({})],
    [
      'a key without the scope',
      403,
      'insufficient_scope',
      async (owner) => keyHeader((await seedKey(owner, ['links:read', 'stats:read'])).key),
    ],
    [
      'a revoked key',
      401,
      'invalid_credential',
      async (owner) => {
        const { id, key } = await seedKey(owner);
        await ask(owner, 'DELETE', `/v1/keys/${id}`);
        return keyHeader(key);
      },
    ],
    [
      'the key of a disabled user',
      401,
      'invalid_credential',
      async (owner) => {
        await disableUser(db, owner.userName);
        return keyHeader(owner.apiKey);
      },
    ],
    [
      'a token of an ended sign-in',
      401,
      'invalid_credential',
      async (owner) => {
        await env.DB.prepare('UPDATE token_families SET ended_at = 1 WHERE user_id = ?').bind(owner.userId).run();
        return bearerOf(owner);
      },
    ],
  ])(
    'a batch without permission is refused: %s as a whole, with %i %s, whether the links are good or not',
    async (_what, status, code, headersOf) => {
      const owner = await seedCaller();
      const headers = await headersOf(owner);
      for (const fields of [{}, { url: 'nowhere' }]) {
        const response = await send(owner, headers, fields);
        await expectFailure(response, status, expect.stringMatching(new RegExp(`^${code}: `)));
      }
      expect(await linksOf(owner.clientId)).toEqual([]);
    },
  );
});

it('takes a body of one MiB, and not one byte more', async () => {
  const caller = await seedCaller();
  const text = JSON.stringify({ links: [{ url: 'https://example.com/', client_id: caller.clientId }] });
  const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
  const statusAt = async (length: number) =>
    (await call('/v1/links/batch', { method: 'POST', headers, body: text.padEnd(length) })).status;
  expect([await statusAt(1024 * 1024), await statusAt(1024 * 1024 + 1)]).toEqual([200, 413]);
});

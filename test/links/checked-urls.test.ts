import { env } from 'cloudflare:workers';
import { describe, expect, inject, it } from 'vitest';
import { newHost, setDns } from '../support/domains.ts';
import { linkFields } from '../../src/links/fields/table.ts';
import { STORED_NAMES } from '../../src/links/fields/content.ts';
import type { LinkField } from '../../src/links/fields/field.ts';
import { openManager, type Manager } from '../support/manage.ts';
import { rowsOf, seedDomain, seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/** Each URL of a link is checked like its destination, whichever request sets it. */

const TRUTH = inject('resolverUrl');
const FILTERING = new URL('/filtering', TRUTH).href;
const filtered = openIsolate({ TARGET_RESOLVER_URL: FILTERING, DNS_RESOLVER_URL: TRUTH });

const OK = 'https://example.com/ok';
const IN_GERMAN = [{ type: 'language', in: ['de'] }];

const PLACES: readonly (readonly [place: string, fields: (url: string) => Readonly<Record<string, unknown>>])[] = [
  [
    'rules.1.url',
    (url) => ({
      rules: [
        { if: IN_GERMAN, url: OK },
        { if: IN_GERMAN, url },
      ],
    }),
  ],
  [
    'variants.0.url',
    (url) => ({
      variants: [
        { name: 'A', url, weight: 1 },
        { name: 'B', url: OK, weight: 1 },
      ],
    }),
  ],
  ['expired_url', (url) => ({ expired_url: url })],
  ['fallback', (url) => ({ fallback: url })],
  ['preview.image', (url) => ({ preview: { image: url } })],
];

const OWN = 'leads to a host of this service, which would create a redirect loop. Use another URL.';
const BLOCKED = 'leads to a host that the operator of this service has blocked.';

const HOSTS: readonly (readonly [what: string, code: string, sentence: string, host: () => Promise<string>])[] = [
  ['the host of the service', 'own_host', OWN, async () => 'terse.test'],
  ['a custom domain of another client', 'own_host', OWN, async () => seedDomain(await seedTenant())],
  [
    'a host below a blocked one',
    'blocked_host',
    BLOCKED,
    async () => {
      const host = newHost();
      await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(host).run();
      return `www.${host}`;
    },
  ],
  [
    'a host below a blocked one that is longer than any in the DNS',
    'blocked_host',
    BLOCKED,
    async () => {
      const host = newHost();
      await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(host).run();
      return `${'a.'.repeat(500)}${host}`;
    },
  ],
  [
    'a host that the filtering resolver blocks',
    'blocked_host',
    BLOCKED,
    async () => {
      const host = newHost();
      await setDns(host, { a: ['0.0.0.0'], reason: 15 }, FILTERING);
      return host;
    },
  ],
];

type Failure = { readonly error: string };

/** Each request that can set fields of a link: sends them, and gives the status, of a row in an import, and the error. */
const WAYS: Readonly<
  Record<string, (manager: Manager, id: string, fields: object) => Promise<[number | 'error', string]>>
> = {
  create: async ({ ask, tenant, key }, _, fields) => {
    const link = { url: OK, client_id: tenant.clientId, ...fields };
    const { status, body } = await ask<Failure>('POST', '/v1/links', link, key);
    return [status, body.error];
  },
  batch: async ({ ask, tenant, key }, _, fields) => {
    const links = [{ url: OK, client_id: tenant.clientId, ...fields }];
    const { body } = await ask<{ results: [{ status: number } & Failure] }>('POST', '/v1/links/batch', { links }, key);
    return [body.results[0].status, body.results[0].error];
  },
  edit: async ({ ask }, id, fields) => {
    const { status, body } = await ask<Failure>('PATCH', `/v1/links/${id}`, fields);
    return [status, body.error];
  },
  import: async ({ bearer }, _, fields) => {
    const body = `${JSON.stringify({ url: OK, ...fields })}\n`;
    const headers = { ...bearer, 'Content-Type': 'application/x-ndjson' };
    const response = await filtered('/v1/links/import', { method: 'POST', headers, body });
    const { results } = await response.json<{ results: [{ status: 'error' } & Failure] }>();
    return [results[0].status, results[0].error];
  },
};

it('the table of URLs has a place for each field with URLs', () => {
  const fields = STORED_NAMES.filter((name) => (linkFields[name] as LinkField).destinationsIn !== undefined);
  expect(new Set(['url', ...PLACES.map(([place]) => place.split('.')[0])])).toEqual(new Set(fields));
});

describe.each(PLACES)('%s', (place, fieldsWith) => {
  it.each(HOSTS)('a field with URLs may not name %s', async (_what, code, sentence, hostOf) => {
    const manager = await openManager(await seedTenant(), filtered);
    const id = await manager.make();
    const fields = fieldsWith(`https://${await hostOf()}/x`);
    const before = [await rowsOf('links'), await rowsOf('link_hosts')];
    for (const [way, send] of Object.entries(WAYS)) {
      const status = way === 'import' ? 'error' : 400;
      expect([way, ...(await send(manager, id, fields))]).toEqual([way, status, `${code}: ${place} ${sentence}`]);
    }
    expect([await rowsOf('links'), await rowsOf('link_hosts')]).toEqual(before);
  });

  it('a field with URLs may name any other host', async () => {
    const manager = await openManager(await seedTenant(), filtered);
    const id = await manager.make();
    const fields = fieldsWith('https://www.example.com/x');
    expect((await manager.ask('PATCH', `/v1/links/${id}`, fields)).body).toMatchObject(fields);
  });

  it('a field with URLs names its host for the operator, who may block it later', async () => {
    const manager = await openManager(await seedTenant());
    const [first, second] = [newHost(), newHost()];
    const id = await manager.make(fieldsWith(`https://${first}/x`));
    const hostsOf = async () =>
      (await rowsOf('link_hosts')).flatMap((row) => (row['link_id'] === id ? [row['host']] : []));
    expect(await hostsOf()).toContain(first);
    await manager.ask('PATCH', `/v1/links/${id}`, fieldsWith(`https://${second}/x`));
    expect(await hostsOf()).toContain(second);
    expect(await hostsOf()).not.toContain(first);
  });
});

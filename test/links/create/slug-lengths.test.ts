import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ManagedRecord } from '../../../src/api/record.ts';
import { GENERATED_ID } from '../../../src/links/slugs/slug.ts';
import { LINK_TYPE } from '../../../src/http/representation.ts';
import { open, openManager, type Manager } from '../../support/manage.ts';
import { seedDomain, seedLink, seedTenant, signIn } from '../../support/seed.ts';
import { call, openIsolate } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';
import { ledTo } from '../../support/visits.ts';

/** How many characters generated slugs have. */

afterEach(() => {
  vi.restoreAllMocks();
});

const URL = 'https://example.com/there';
const ofLength = (length: number) =>
  expect.stringMatching(new RegExp(`^[${GENERATED_ID.alphabet}]{${length}}$`)) as unknown as string;

async function create({ ask, tenant, key }: Manager, fields: object = {}, headers: Record<string, string> = {}) {
  const link = { url: URL, client_id: tenant.clientId, ...fields };
  const answered = await ask<ManagedRecord & { reused?: boolean }>('POST', '/v1/links', link, {
    ...key,
    Accept: LINK_TYPE,
    ...headers,
  });
  return { status: answered.status, ...answered.body };
}

async function openDomain(length: number, manager?: Manager) {
  const owner = manager ?? (await open());
  const host = await seedDomain(owner.tenant);
  const id = await env.DB.prepare('SELECT id FROM domains WHERE host = ?').bind(host).first<string>('id');
  const change = (slug_length: unknown) =>
    owner.ask<{ slug_length: number; error?: string }>('PATCH', `/v1/domains/${id}`, { slug_length });
  expect((await change(length)).status).toBe(200);
  return { owner, host, change };
}

/** A workspace whose owner has chosen a length on its page. */
async function openWorkspace(length: number) {
  const owner = await open();
  await env.DB.prepare('UPDATE clients SET slug_length = ? WHERE id = ?').bind(length, owner.tenant.clientId).run();
  return owner;
}

/** Makes some of the next texts that are drawn have one character alone, by their places from 0 on. */
function repeatDraws(places: readonly number[], character = 0): void {
  const draw = crypto.getRandomValues.bind(crypto);
  let drawn = 0;
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) =>
    array instanceof Uint8Array && places.includes(drawn++) ? array.fill(character) : draw(array),
  );
}

/**
 * Makes the first slugs that a create draws come out alike. It draws an id and a secondary id first, with which it learns
 * the length, and from then on an id, a slug and a secondary id at a time.
 */
const repeatSlugs = (times: number) => repeatDraws(Array.from({ length: times }, (_, turn) => 3 + 3 * turn));

const SHORT_SLUG = GENERATED_ID.alphabet[0]!.repeat(5);

describe('the length of generated slugs', () => {
  it('the length of generated slugs on a domain is that of the domain, and leads to the link', async () => {
    const { owner, host, change } = await openDomain(5);
    const link = await create(owner, { custom_domain: host });
    expect(link).toMatchObject({ status: 201, id: ofLength(8), slug: ofLength(5) });
    expect(link.short_url).toBe(`https://${host}/${link.slug}`);
    expect(ledTo(await openIsolate()(link.short_url))).toEqual([302, URL]);
    expect((await owner.read(link.id)).slug).toBe(link.slug);
    expect((await change(16)).body.slug_length).toBe(16);
    expect((await create(owner, { custom_domain: host })).slug).toEqual(ofLength(16));
    await change(8);
    const usual = await create(owner, { custom_domain: host });
    expect([usual.slug, usual.status]).toEqual([usual.id, 201]);
    const shared = await create(owner);
    expect(shared.slug).toBe(shared.id);
  });

  it('the length of generated slugs leaves chosen slugs alone', async () => {
    const { owner, host } = await openDomain(5);
    const trips = await countTrips();
    expect(await create(owner, { custom_domain: host, slug: 'sale' })).toMatchObject({ status: 201, slug: 'sale' });
    expect(trips()).toMatchObject({ d1: 1 });
  });

  it('the length of generated slugs on the service’s own host is that of the workspace, in the published response too', async () => {
    const owner = await openWorkspace(12);
    const { host } = await openDomain(5, owner);
    const trips = await countTrips();
    const link = await create(owner);
    expect(trips()).toMatchObject({ d1: 2 });
    expect(link).toMatchObject({ status: 201, id: ofLength(8), slug: ofLength(12) });
    const { id, short_url: shortUrl } = await seedLink(owner.tenant);
    expect([id, shortUrl]).toEqual([ofLength(8), expect.stringMatching(/^https:\/\/terse\.test\/\w{12}$/)]);
    expect(ledTo(await openIsolate()(shortUrl))).toEqual([302, 'https://example.com/']);
    expect((await create(owner, { custom_domain: host })).slug).toEqual(ofLength(5));
    const { access_token: token } = await signIn(owner.tenant);
    const form = { url: URL, client_id: owner.tenant.clientId };
    const encoded = await call('/shortener/encode', { headers: { Authorization: `Bearer ${token}` }, form });
    expect(await encoded.text()).toMatch(/terse\.test\/\w{12}\b/);
  });

  it('the length of generated slugs is no other workspace’s', async () => {
    const { owner, host } = await openDomain(5, await openWorkspace(12));
    const other = await open();
    const refused = await create(other, { client_id: owner.tenant.clientId });
    expect(refused).toMatchObject({ status: 403 });
    expect(await create(other, { custom_domain: host })).toMatchObject({ status: 400 });
    const link = await create(other);
    expect(link.slug).toBe(link.id);
  });

  it('the length of generated slugs is kept by a create that is repeated', async () => {
    const owner = await openWorkspace(10);
    const repeat = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await create(owner, {}, repeat);
    expect(first).toMatchObject({ status: 201, slug: ofLength(10) });
    expect(await create(owner, {}, repeat)).toEqual(first);
  });

  it.each([{}, { 'Idempotency-Key': 'batch-of-lengths' }])(
    'the length of generated slugs is that of each link’s host in a batch, with the headers %j',
    async (repeat: Record<string, string>) => {
      const owner = await openWorkspace(7);
      const { host } = await openDomain(5, owner);
      const links = [
        { url: URL },
        { url: URL, custom_domain: host },
        { url: URL, custom_domain: host, slug: 'sale' },
        { url: URL, custom_domain: 'unknown.example' },
        { url: URL, custom_domain: host },
      ];
      const send = () =>
        owner.ask<{ results: readonly { status: number; link?: ManagedRecord; error?: string }[] }>(
          'POST',
          '/v1/links/batch',
          { links },
          { ...owner.key, ...repeat },
        );
      const { body } = await send();
      expect(body.results.map(({ link, error }) => link?.slug ?? error?.split(':')[0])).toEqual([
        ofLength(7),
        ofLength(5),
        'sale',
        'unknown_domain',
        ofLength(5),
      ]);
      for (const { link } of body.results)
        if (link) expect(await owner.read(link.id)).toMatchObject({ slug: link.slug, short_url: link.short_url });
      if ('Idempotency-Key' in repeat) expect((await send()).body).toEqual(body);
    },
  );

  it('the length of generated slugs grows by a character after three that were taken', async () => {
    const { owner, host } = await openDomain(5);
    const link = () => create(owner, { custom_domain: host });
    for (const [times, slug] of [
      [1, SHORT_SLUG],
      [2, ofLength(5)],
      [3, ofLength(6)],
      [4, `${SHORT_SLUG}${SHORT_SLUG[0]}`],
      [5, ofLength(7)],
    ] as const) {
      repeatSlugs(times);
      expect([times, (await link()).slug]).toEqual([times, slug]);
      vi.restoreAllMocks();
    }
  });

  it('the length of generated slugs is that of links from a file without slugs', async () => {
    const owner = await openWorkspace(11);
    const { host } = await openDomain(6, owner);
    const body = `url,custom_domain\n${URL}/1,\n${URL}/2,${host}\n`;
    const response = await call('/v1/links/import', {
      method: 'POST',
      headers: { ...owner.bearer, 'Content-Type': 'text/csv' },
      body,
    });
    const { results } = await response.json<{ results: readonly { link: ManagedRecord }[] }>();
    expect(results.map(({ link }) => [link.slug, link.id])).toEqual([
      [ofLength(11), ofLength(8)],
      [ofLength(6), ofLength(8)],
    ]);
    for (const { link } of results) expect((await owner.read(link.id)).slug).toBe(link.slug);
    const again = await call('/v1/links/import', {
      method: 'POST',
      headers: { ...owner.bearer, 'Content-Type': 'text/csv' },
      body,
    });
    expect(await again.json()).toMatchObject({ created: 0, unchanged: 2 });
  });

  it('the length of generated slugs grows for those links of a repeatable batch alone whose slugs were taken', async () => {
    const { owner, host } = await openDomain(5);
    await create(owner, { custom_domain: host, slug: SHORT_SLUG });
    const on = (custom_domain?: string) => ({ url: URL, sec_id: 'fixed', custom_domain });
    // Four ids at first, then the slugs of the links on the domain too, and from then on only that of the last one.
    repeatDraws([10, 15, 20]);
    const { body } = await owner.ask<{ results: readonly { link?: ManagedRecord }[] }>(
      'POST',
      '/v1/links/batch',
      { links: [on(), on(host), on(host), on(host)] },
      { ...owner.key, 'Idempotency-Key': crypto.randomUUID() },
    );
    expect(body.results.map(({ link }) => link?.slug)).toEqual([ofLength(8), ofLength(5), ofLength(5), ofLength(6)]);
    for (const { link } of body.results) expect(await owner.read(link!.id)).toMatchObject({ slug: link!.slug });
  });

  it('the length of generated slugs stays where one on a case-sensitive domain differs in case alone', async () => {
    const { owner, host } = await openDomain(5);
    await env.DB.prepare('UPDATE domains SET case_sensitive = 1 WHERE host = ?').bind(host).run();
    await create(owner, { custom_domain: host, slug: 'bbbbb' });
    repeatDraws([2], GENERATED_ID.alphabet.indexOf('B'));
    const { body } = await owner.ask<{ results: readonly { link?: ManagedRecord }[] }>(
      'POST',
      '/v1/links/batch',
      { links: [{ url: URL, sec_id: 'fixed', custom_domain: host }] },
      { ...owner.key, 'Idempotency-Key': crypto.randomUUID() },
    );
    expect(body.results.map(({ link }) => link?.slug)).toEqual(['BBBBB']);
  });

  it('the length of generated slugs grows for a link from a file too', async () => {
    const { owner, host } = await openDomain(5);
    for (const slug of [5, 6, 7].map((length) => SHORT_SLUG[0]!.repeat(length)))
      await create(owner, { custom_domain: host, slug });
    // An id, a slug and a secondary id at a time.
    repeatDraws([1, 4, 7, 10, 13]);
    const response = await call('/v1/links/import', {
      method: 'POST',
      headers: { ...owner.bearer, 'Content-Type': 'text/csv' },
      body: `url,custom_domain\n${URL}/other,${host}\n`,
    });
    const { results } = await response.json<{ results: readonly { link: ManagedRecord }[] }>();
    expect(results.map(({ link }) => link?.slug)).toEqual([ofLength(8)]);
  });

  it.each(['/v1/links', '/v1/links/batch'])(
    'the length of generated slugs makes some that were asked for before, and %s makes them lead to the link',
    async (path) => {
      const { owner, host } = await openDomain(5);
      const isolate = openIsolate();
      expect((await isolate(`https://${host}/${SHORT_SLUG}`)).status).toBe(404);
      const link = { url: URL, custom_domain: host, sec_id: 'fixed' };
      repeatDraws([2]);
      const created = await isolate(path, {
        method: 'POST',
        headers: { ...owner.key, 'Content-Type': 'application/json' },
        body: JSON.stringify(path.endsWith('batch') ? { links: [link] } : link),
      });
      expect(await created.text()).toContain(`${host}/${SHORT_SLUG}`);
      expect(ledTo(await isolate(`https://${host}/${SHORT_SLUG}`))).toEqual([302, URL]);
    },
  );

  it('the length of generated slugs does not keep reuse from finding a link', async () => {
    const { owner, host } = await openDomain(5);
    const first = await create(owner, { custom_domain: host, reuse: true });
    expect(first).toMatchObject({ status: 201, reused: false, slug: ofLength(5) });
    expect(await create(owner, { custom_domain: host, reuse: true })).toMatchObject({ status: 200, id: first.id });
    expect(await create(owner, { custom_domain: host, slug: 'chosen' })).toMatchObject({ status: 201 });
    expect(await create(owner, { custom_domain: host, reuse: true })).toMatchObject({ status: 200, id: first.id });
  });

  it.each([4, 17, 5.5, '8', null])('the length of generated slugs on a domain cannot be %j', async (length) => {
    const { owner, change, host } = await openDomain(9);
    const refused = await change(length);
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringMatching(/^invalid_slug_length: slug_length must be a (whole )?number( from 5 to 16)?\.$/),
    ]);
    expect((await create(owner, { custom_domain: host })).slug).toEqual(ofLength(9));
  });

  it('the length of generated slugs can be given with a new domain, and its change is in the audit log', async () => {
    const owner = await openManager(await seedTenant());
    const added = await owner.ask<{ id: string; slug_length: number }>('POST', '/v1/domains', {
      host: `${crypto.randomUUID()}.example`,
      slug_length: 6,
    });
    expect([added.status, added.body.slug_length]).toEqual([201, 6]);
    await owner.ask('PATCH', `/v1/domains/${added.body.id}`, { slug_length: 6 });
    await owner.ask('PATCH', `/v1/domains/${added.body.id}`, { slug_length: 7 });
    const { body } = await owner.ask<{ entries: readonly { action: string; details: object | null }[] }>(
      'GET',
      '/v1/audit',
    );
    expect(body.entries.map(({ action, details }) => [action, details])).toEqual([
      ['domain.changed', { root_url: null, not_found_url: null, slug_length: 7 }],
      ['domain.added', null],
      ['member.joined', { role: 'owner' }],
    ]);
  });
});

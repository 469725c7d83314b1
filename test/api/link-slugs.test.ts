import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failed, follow, newSlug, open } from '../support/manage.ts';
import { rowsOf, seedDomain } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a change of the slug', () => {
  it('a change of the slug keeps the old one as an alias, which can become the slug again or be removed', async () => {
    const { make, ask, read } = await open();
    const [first, second] = [newSlug(), newSlug()];
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

  it('a change of the slug is refused if the slug is taken, also by an alias, a deleted link, or in another case', async () => {
    const [mine, others] = [await open(), await open()];
    const [live, alias, dead] = [newSlug(), newSlug(), newSlug()];
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

  it('a change of the slug may take a slug that is in use on another host', async () => {
    const mine = await open();
    const host = await seedDomain(mine.tenant);
    const name = newSlug();
    await mine.make({ slug: name, url: 'https://example.com/own' });
    await mine.make({ slug: name, custom_domain: host, url: 'https://example.com/custom' });
    expect(await follow(`/${name}`)).toEqual([302, 'https://example.com/own']);
    expect(await follow(`https://${host}/${name}`)).toEqual([302, 'https://example.com/custom']);
  });

  it('a change of the slug keeps at most 20 aliases', async () => {
    const { make, ask } = await open();
    const id = await make();
    for (let i = 0; i < 20; i++) expect((await ask('PATCH', `/v1/links/${id}`, { slug: newSlug() })).status).toBe(200);
    const next = newSlug();
    expect(await ask('PATCH', `/v1/links/${id}`, { slug: next })).toMatchObject({
      status: 409,
      body: failed('too_many_aliases'),
    });
    expect((await rowsOf('addresses')).filter((row) => row['link_id'] === id)).toHaveLength(21);
    const { body } = await ask<{ aliases: string[] }>('GET', `/v1/links/${id}`);
    const aliases = body.aliases.slice(1);
    expect((await ask('PATCH', `/v1/links/${id}`, { slug: next, aliases })).body).toMatchObject({ slug: next });
  });

  it.each(['Grüße', '東京', 'a_b-C', 'x'.repeat(64)])('a change of the slug takes %s', async (name) => {
    const { make } = await open();
    const unique = `${name.slice(0, 58)}${crypto.randomUUID().slice(0, 6)}`;
    const id = await make({ slug: unique.normalize('NFD'), url: 'https://example.com/x' });
    expect(await follow(`/${encodeURIComponent(unique.normalize('NFC'))}`)).toEqual([302, 'https://example.com/x']);
    expect(id).not.toBe(unique);
  });

  it.each([
    'a b',
    'a+b',
    'a\u200db',
    '',
    'x'.repeat(65),
    'v1',
    'Info',
    'TOKENS',
    'changelog',
    'assets',
    'ｖ１',
    'ＡＰＩ',
    'ſtats',
    'ınfo',
    '\u212aeys',
    7,
  ])('a change of the slug refuses %j', async (name) => {
    const { make, ask, tenant, key } = await open();
    const id = await make();
    const create = { url: 'https://example.com/', client_id: tenant.clientId, slug: name };
    if (name !== '') {
      const body = failed('invalid_slug');
      expect(await ask('PATCH', `/v1/links/${id}`, { slug: name })).toMatchObject({ status: 400, body });
      expect(await ask('POST', '/v1/links', create, key)).toMatchObject({ status: 400, body });
    }
  });
});

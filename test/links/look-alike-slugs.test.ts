import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { seedCaller, type Caller } from '../support/forms.ts';
import { importFile, NDJSON } from '../support/files.ts';
import { follow, newSlug, open, openManager, type Manager } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';
import { createWithSlug } from '../support/slugs.ts';
import { call } from '../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

let caller: Caller;
let host: string;
let manager: Manager;
beforeAll(async () => {
  manager = await open();
  caller = await seedCaller();
  host = await seedDomain(caller);
});

const create = (slug: string, fields: Readonly<Record<string, string>> = { custom_domain: host }) =>
  createWithSlug(caller, slug, fields);

describe('what looks alike', () => {
  it('a slug that looks alike is not created twice on a host: ẞ, ß and ss, an emoji with and without its selector', async () => {
    for (const slugs of [
      ['xß', 'xẞ', 'XSS', 'xss'],
      ['❄', '❄\ufe0f'],
    ]) {
      const domain = await seedDomain(caller);
      for (const first of slugs.slice(0, 1)) expect((await create(first, { custom_domain: domain }))[0]).toBe(200);
      for (const next of slugs.slice(1))
        expect([next, ...(await create(next, { custom_domain: domain }))]).toEqual([
          next,
          409,
          expect.stringMatching(/^slug_taken/),
        ]);
    }
  });

  it.each([
    'password',
    'reset',
    'Verify',
    'register',
    'sso',
    'callback',
    'log-in',
    'log_in',
    'sign_in',
    'report',
    'operator',
    'MCP',
    'раѕѕword',
    'ѕіgn-іn',
    'αpi',
    'ΗELP',
    'аdmin',
    'Iogin',
    'l0gin',
    'ｒｅｓｅｔ',
    'ꓮdmin',
    'ᗅᴅmin',
    'admiո',
    'ᴀᴘɪ',
    'ꓲogin',
    'vⵏ',
  ])('a slug that looks like a page of the service is refused: %s', async (slug) => {
    expect(await create(slug, {})).toEqual([
      400,
      expect.stringMatching(/^invalid_slug: slug is reserved for pages of this service/),
    ]);
    // On a custom domain there are no such pages.
    expect(await create(slug, { custom_domain: host })).toEqual([200, expect.any(String)]);
  });

  it.each(['report', 'ѕѕо', 'ꓮdmin', 'a\u3164', '\u115fb', 'c\ufe0f', 'xẞ', 'd\u034f'])(
    'a slug that looks like another one keeps working if it existed before the rule: %j',
    async (slug) => {
      const one = await open();
      const id = await one.make();
      const folded = slug.toUpperCase().toLowerCase().normalize('NFC');
      await env.DB.batch([
        env.DB.prepare('UPDATE addresses SET folded = ?2, slug = ?3 WHERE link_id = ?1').bind(id, folded, slug),
        env.DB.prepare('UPDATE links SET slug = ?2 WHERE id = ?1').bind(id, slug),
      ]);
      const path = `/${encodeURIComponent(slug)}`;
      expect(await follow(path)).toEqual([302, 'https://example.com/']);
      // Sent back as it is, beside what changes; and in a file.
      expect(await one.ask('PATCH', `/v1/links/${id}`, { slug, url: 'https://example.com/two' })).toMatchObject({
        status: 200,
      });
      expect(await follow(path)).toEqual([302, 'https://example.com/two']);
      const file = (await (await call('/v1/links/export?format=ndjson', { headers: one.key })).text()).trim();
      expect(await importFile(one, file, { type: NDJSON })).toMatchObject({ unchanged: 1, errors: 0 });
      const next = newSlug();
      expect(await one.ask('PATCH', `/v1/links/${id}`, { slug: next })).toMatchObject({
        body: { slug: next, aliases: [slug] },
      });
      expect(await one.ask('PATCH', `/v1/links/${id}`, { slug })).toMatchObject({ body: { slug, aliases: [next] } });
      expect(await follow(path)).toEqual([302, 'https://example.com/two']);
      expect(await openManagerElsewhere(slug)).toMatchObject({
        status: expect.toSatisfy((status) => status === 400 || status === 409),
      });
    },
  );
});

async function openManagerElsewhere(slug: string) {
  const other = await openManager(manager.tenant);
  return other.ask(
    'POST',
    '/v1/links',
    { url: 'https://example.com/', client_id: manager.tenant.clientId, slug },
    other.key,
  );
}

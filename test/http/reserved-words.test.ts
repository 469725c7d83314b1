import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../src/app/api.ts';
import { openCore } from '../../src/app/core.ts';
import { parseConfig } from '../../src/config/config.ts';
import { isReserved } from '../../src/links/slugs/reserved.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { form, openBrowser } from '../support/platform.ts';
import { seedDomain, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';

describe('the service’s own paths', async () => {
  const parts = await openApi(openCore(parseConfig({ ...env }))).loadParts();
  const routes = parts.flatMap((part) => part.routes);
  // What wrangler.toml gives to the asset server, what each host answers, and what Cloudflare keeps for itself.
  const others = [
    '/assets/page.css',
    '/platform',
    '/platform/sign-in',
    '/robots.txt',
    '/favicon.ico',
    '/cdn-cgi/trace',
  ];
  const files = Object.keys(import.meta.glob('../../public/**'))
    .map((file) => file.replace('../../public', ''))
    // The rules of the asset server, which it does not serve.
    .filter((file) => file !== '/_headers');
  const paths = [...routes.map(({ path }) => path), ...others, ...files].filter((path) => /^\/[^*:]/.test(path));
  const words = new Set(paths.map((path) => path.split('/')[1]!.replace(/^\./, '').split('.')[0]!));

  it('the service’s own paths are known from the routes and the files', () => {
    expect([...words]).toEqual(
      expect.arrayContaining([
        'v1',
        'tokens',
        'info',
        'shortener',
        'well-known',
        'openapi',
        'changelog',
        'docs',
        'assets',
      ]),
    );
  });

  const fullWidth = (word: string) =>
    word.replace(/[a-z0-9]/g, (character) => String.fromCodePoint(character.codePointAt(0)! + 0xfee0));

  it.each([...words])('the service’s own paths cannot be taken as a slug by any spelling of %s', async (word) => {
    const caller = await seedCaller();
    const spellings = [
      word,
      word.toUpperCase(),
      word[0]!.toUpperCase() + word.slice(1),
      fullWidth(word),
      fullWidth(word.toUpperCase()),
    ];
    for (const slug of spellings) expect([slug, isReserved(slug)]).toEqual([slug, true]);
    // What no reader sees makes it no other word: a variation selector, a grapheme joiner, a Hangul filler.
    for (const slug of [...spellings, `${word}\ufe0f`, `${word[0]}\u034f${word.slice(1)}`, `\u3164${word}`]) {
      const form = { url: 'https://example.com/', client_id: caller.clientId, slug };
      const response = await call('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form });
      expect([slug, response.status]).toEqual([slug, 400]);
      expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_slug: /) });
    }
  });
});

describe('a word that is reserved', () => {
  const WORD = 'Health';
  const REFUSAL = /^invalid_slug: slug is reserved for pages of this service/;

  it.each<[what: string, (caller: Caller) => Promise<readonly unknown[]>]>([
    ['a create', async (caller) => [await bodyOf(caller, 'POST', '/v1/links', { ...target(caller), slug: WORD })]],
    [
      'an edit',
      async (caller) => [await bodyOf(caller, 'PATCH', `/v1/links/${(await seedLink(caller)).id}`, { slug: WORD })],
    ],
    [
      'a batch',
      async (caller) =>
        (await bodyOf(caller, 'POST', '/v1/links/batch', { links: [{ ...target(caller), slug: WORD }] })).results,
    ],
    [
      'an import, as a slug and as an alias',
      async (caller) => {
        const headers = { ...bearerOf(caller), 'Content-Type': 'application/x-ndjson' };
        const rows = [{ slug: WORD }, { slug: 'good', aliases: [WORD] }];
        const body = rows.map((row) => JSON.stringify({ url: 'https://example.com/', ...row })).join('\n');
        const response = await call('/v1/links/import', { method: 'POST', headers, body });
        return (await response.json<{ results: readonly unknown[] }>()).results;
      },
    ],
  ])('a word that is reserved is refused by %s', async (_what, ask) => {
    const results = await ask(await seedCaller());
    expect(results.length).toBeGreaterThan(0);
    for (const result of results)
      expect(result).toMatchObject({ error: expect.stringMatching(/is reserved for pages/) });
  });

  it.each(['v1', 'V4', 'v2030', 'ｖ５'])(
    'a word that is reserved, as a version of the API may have it: %s',
    async (slug) => {
      const caller = await seedCaller();
      expect(await bodyOf(caller, 'POST', '/v1/links', { ...target(caller), slug })).toMatchObject({
        error: expect.stringMatching(REFUSAL),
      });
    },
  );

  it('a word that is reserved is refused by the page that creates links', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const path = `/platform/c/${caller.clientId}/links/new`;
    const response = await browse(path, form({ url: 'https://example.com/', slug: WORD }));
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('is reserved for pages')]);
  });
});

describe('a slug of a custom domain', () => {
  it.each([
    'docs',
    'Login',
    'help',
    'api',
    'v1',
    'platform',
    'robots',
    'favicon',
    'assets.zip',
    'mcp',
    'd0cs',
    'info/a',
  ])('a slug of a custom domain may be a word of the service: %s', async (slug) => {
    const caller = await seedCaller();
    const custom_domain = await seedDomain(caller);
    const { short_url: url } = await seedLink(caller, { slug, custom_domain, url: 'https://example.com/there' });
    expect(url).toBe(`https://${custom_domain}/${slug}`);
    expect((await call(url)).headers.get('Location')).toBe('https://example.com/there');
  });

  it.each([
    'robots.txt',
    'Favicon.ICO',
    '.well-known',
    '.well-known/x',
    'assets',
    'Assets/a',
    'cdn-cgi/trace',
    'ａssets/x',
  ])('a slug of a custom domain may not be a path that every host serves: %s', async (slug) => {
    const caller = await seedCaller();
    const custom_domain = await seedDomain(caller);
    expect(await bodyOf(caller, 'POST', '/v1/links', { ...target(caller), slug, custom_domain })).toMatchObject({
      error: 'invalid_slug: slug is a path that every domain serves itself: choose another.',
    });
  });
});

const target = ({ clientId }: Caller) => ({ url: 'https://example.com/', client_id: clientId });

async function bodyOf(caller: Caller, method: string, path: string, body: object) {
  const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
  const response = await call(path, { method, headers, body: JSON.stringify(body) });
  return response.json<{ error?: string; results: readonly unknown[] }>();
}

import { expect, it } from 'vitest';
import { differs } from '../../src/links/import/import-decision.ts';
import { wordsIn } from '../../src/platform/words.tsx';
import { newNonce } from '../../src/secrets/random-secrets.ts';
import { seedCaller } from '../support/forms.ts';
import { form, openBrowser } from '../support/platform.ts';
import { seedDomain, seedLink } from '../support/seed.ts';

const LINK = { url: 'https://example.com/' };
const HOST = 'go.example.net';

/** Mistakes in the forms of the pages: the path, below the workspace or of the service, and what is typed. */
const MISTAKES: readonly (readonly [path: string, typed: Readonly<Record<string, string>>])[] = [
  ['links/new', { url: '' }],
  ['links/new', { url: 'https://' }],
  ['links/new', { url: 'javascript:alert(1)' }],
  ['links/new', { url: 'example' }],
  ['links/new', { url: 'https://user:pw@example.com/' }],
  ['links/new', { url: `https://example.com/${'x'.repeat(9000)}` }],
  ['links/new', { ...LINK, slug: 'taken' }],
  ['links/new', { ...LINK, slug: 'with space' }],
  ['links/new', { ...LINK, slug: '/' }],
  ['links/new', { ...LINK, slug: '🎉' }],
  ['links/new', { url: 'https://terse.test/sale' }],
  ['links/new', { ...LINK, expired_url: 'https://terse.test/sale' }],
  ['links/new', { ...LINK, slug: 'platform' }],
  ['links/new', { ...LINK, slug: 'docs' }],
  ['links/new', { ...LINK, slug: 'a?b' }],
  ['links/new', { ...LINK, slug: '.' }],
  ['links/new', { ...LINK, slug: 'x'.repeat(2000) }],
  ['links/new', { ...LINK, title: 'x'.repeat(2000) }],
  ['links/new', { ...LINK, comments: 'x'.repeat(20_000) }],
  ['links/new', { ...LINK, tags: 'x'.repeat(60) }],
  ['links/new', { ...LINK, tags: Array.from({ length: 30 }, (_, i) => `t${i}`).join(',') }],
  ['links/new', { ...LINK, password: 'x' }],
  ['links/new', { ...LINK, password: 'x'.repeat(200) }],
  ['links/new', { ...LINK, max_clicks: '0' }],
  ['links/new', { ...LINK, max_clicks: 'viele' }],
  ['links/new', { ...LINK, expires_at: '2001-01-01T00:00' }],
  ['links/new', { ...LINK, expires_at: 'morgen' }],
  ['links/new', { ...LINK, starts_at: '2099-01-02T00:00', expires_at: '2099-01-01T00:00' }],
  ['links/new', { ...LINK, expired_url: 'nirgendwo' }],
  ['links/new', { ...LINK, fallback: 'nirgendwo' }],
  ['links/new', { url: 'myapp://open' }],
  ['links/new', { ...LINK, metadata: '{' }],
  ['links/new', { ...LINK, external_id: 'taken' }],
  ['links/new', { ...LINK, sec_id: 'a b' }],
  ['links/new', { ...LINK, forward_path: 'true' }],
  ['links/new', { ...LINK, 'preview.image': 'kein Bild' }],
  ['links/new', { ...LINK, custom_domain: 'go.example.com' }],
  ['links/new', { ...LINK, utm_source: 'x'.repeat(3000) }],
  ['links/new', { ...LINK, campaign_name: 'x'.repeat(300) }],
  ['links/LINK/edit', { ...LINK, slug: 'taken', revision: '1' }],
  ['links/LINK/edit', { ...LINK, slug: '', revision: '1' }],
  ['links/LINK/edit', { url: '', slug: 'x', revision: '1' }],
  ['domains/new', { host: '' }],
  ['domains/new', { host: 'kein host' }],
  ['domains/new', { host: 'localhost' }],
  ['domains/new', { host: 'terse.test' }],
  ['domains/new', { host: '192.0.2.1' }],
  ['domains/new', { host: 'com' }],
  ['domains/new', { host: 'go.example.com', root_url: 'nirgendwo' }],
  ['domains/new', { host: 'go.example.com', root_url: 'https://go.example.com/' }],
  ['keys/new', { name: '', scopes: 'links:read' }],
  ['keys/new', { name: 'x'.repeat(100), scopes: 'links:read' }],
  ['keys/new', { name: 'Schlüssel' }],
  ['keys/new', { name: 'Schlüssel', scopes: 'links:read', expires_at: '2001-01-01T00:00' }],
  ['webhooks/new', { url: '', events: 'link.created' }],
  ['webhooks/new', { url: 'http://example.com/', events: 'link.created' }],
  ['webhooks/new', { url: 'https://localhost/', events: 'link.created' }],
  ['webhooks/new', { url: 'https://example.com:25/', events: 'link.created' }],
  ['webhooks/new', { url: 'https://example.com/#a', events: 'link.created' }],
  ['webhooks/new', { url: 'https://example.com/', description: 'x'.repeat(1000), events: 'link.created' }],
  ['webhooks/new', { url: 'https://example.com/' }],
  ['tags/new', { name: '' }],
  ['tags/new', { name: 'a,b' }],
  ['tags/new', { name: 'ONE' }],
  ['tags/new', { name: 'x'.repeat(200) }],
  ['links/utm-templates/new', { name: '', utm_source: 'a' }],
  ['links/utm-templates/new', { name: 'Frühling', utm_source: '' }],
  ['links/utm-templates/new', { name: 'Frühling', utm_source: 'x'.repeat(300) }],
  ['links/views/new?tag=one', { name: '' }],
  ['links/views/new?tag=one', { name: 'x'.repeat(100) }],
  ['settings', { name: 'x'.repeat(100) }],
  ['campaigns/Spring/rename', { name: '' }],
  ['campaigns/Spring/rename', { name: 'Spring' }],
  ['links/new', { ...LINK, custom_domain: HOST, slug: 'manual/below' }],
  ['links/new', { ...LINK, custom_domain: HOST, slug: 'docs', forward_path: 'true' }],
  ['settings/delete', { name: 'other' }],
  ['links/LINK/share', { password: 'x' }],
  ['share', { password: 'x' }],
  ['/platform/account/delete', { name: 'other', current_password: 'other' }],
];

/** Forms that count once. */
const OF_ONE_USE = /^(?:keys|webhooks)\/new$/;

it('mistakes that people make in forms are explained in the language of the page', async () => {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const link = await seedLink(caller, { campaign_name: 'Spring', tags: 'one', title: 'One' });
  await seedLink(caller, { slug: 'taken', external_id: 'taken' });
  await seedDomain(caller, HOST);
  await seedLink(caller, { custom_domain: HOST, slug: 'manual', forward_path: 'true' });
  await seedLink(caller, { custom_domain: HOST, slug: 'docs/begin' });
  const found: string[] = [];
  for (const [path, typed] of MISTAKES) {
    const at = path.startsWith('/') ? path : `/platform/c/${caller.clientId}/${path.replace('LINK', link.id)}`;
    const response = await browse(
      at,
      form({ ...(OF_ONE_USE.test(path) && { nonce: newNonce() }), ...typed }, { 'Accept-Language': 'de' }),
    );
    const page = await response.text();
    const english = [...page.matchAll(/<(?:p|span|bdi|h1|li)[^>]* lang="en"[^>]*>(.*?)<\//gs)].map(([, text]) => text);
    for (const text of english) found.push(`${path} ${JSON.stringify(typed).slice(0, 80)}: ${text}`);
    if (response.status < 400) found.push(`${path} ${JSON.stringify(typed).slice(0, 80)}: ${response.status}`);
  }
  expect(found).toEqual([]);
});

it('mistakes in forms are explained in English without names of fields of the API', async () => {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  await seedLink(caller, { slug: 'used', external_id: 'used' });
  const said: Record<string, string | undefined> = {};
  for (const typed of [
    { ...LINK, slug: 'USED' },
    { ...LINK, slug: '🎉' },
    { url: 'https://terse.test/a' },
    { ...LINK, expired_url: 'https://terse.test/b' },
    { ...LINK, starts_at: '2099-01-02T00:00', expires_at: '2099-01-01T00:00' },
    { ...LINK, external_id: 'used' },
  ]) {
    const page = await (await browse(`/platform/c/${caller.clientId}/links/new`, form(typed))).text();
    const [, alert = ''] = /role="alert"><h2.*?<\/h2>(.*?)<\/div>/s.exec(page) ?? [];
    said[Object.values(typed).slice(-1).join()] = alert.replaceAll(/<[^>]+>/g, '');
  }
  expect(said).toEqual({
    USED: 'Slug: The slug USED is already in use on this host, possibly with different upper and lower case. Choose another one.',
    '🎉': 'Slug: This must be 1 to 64 letters, digits, &quot;-&quot; or &quot;_&quot;; dots, &quot;/&quot; and emoji need a custom domain.',
    'https://terse.test/a':
      'Destination: This leads to a host of this service, which would create a redirect loop. Use another URL.',
    'https://terse.test/b':
      'Fallback URL after expiry: This leads to a host of this service, which would create a redirect loop. Use another URL.',
    '2099-01-01T00:00': 'Starts: This must be before the expiry.',
    used: 'External ID: This external ID is already in use by another link, or by a deleted one that can be restored. Choose another one.',
  });
});

it('a row of a file whose slug is of another link is explained in the language of the page', async () => {
  const { said } = await wordsIn('de');
  expect(said(differs('sale', ['url', 'title'], 'a link of yours').message)).toBe(
    'Der Slug sale gehört schon zu einem Ihrer Links, der sich in diesen Feldern unterscheidet: url, title.',
  );
  expect(said(differs('sale', ['url'], 'row 2 of this file').message)).toBe(
    'Der Slug sale steht schon in Zeile 2 dieser Datei, die sich in diesen Feldern unterscheidet: url.',
  );
});

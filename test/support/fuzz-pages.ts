import * as fc from 'fast-check';

/**
 * Requests of a signed-in user to pages of the platform, with fields and queries that a valid request may have: each may
 * be sent like its form would send it. `fuzz-every-page.ts` has the other pages.
 */

export interface Page {
  readonly method: 'GET' | 'POST';
  /** `{…}` stands for a value that the test has created. */
  readonly path: string;
  /** The fields of its form, or of its query. */
  readonly fields: Readonly<Record<string, string>>;
  /** True if the form has a file, and so is `multipart/form-data`. */
  readonly isMultipart?: boolean;
}

const get = (path: string, fields: Page['fields'] = {}): Page => ({ method: 'GET', path: `/platform${path}`, fields });
const post = (path: string, fields: Page['fields'] = {}, isMultipart = false): Page => ({
  method: 'POST',
  path: `/platform${path}`,
  fields,
  isMultipart,
});

const C = '/c/{client}';
const NEW_LINK = {
  url: 'https://example.com/a?b=c',
  campaign_name: 'Spring',
  metadata: '{}',
  sec_id: 'a',
  tags: 'a, b',
};
const ROUTES = {
  rules: '1',
  'rules.0.url': 'https://example.com/c',
  'rules.0.if': '1',
  'rules.0.if.0.type': 'query',
  'rules.0.if.0.name': 'ref',
  'rules.0.if.0.in': 'a, "b, c"',
  'rules.0.if.0.not': 'true',
  variants: '2',
  'variants.0.name': 'A',
  'variants.0.url': 'https://example.com/d',
  'variants.0.weight': '30',
  'variants.1.url': 'https://example.com/e',
  'variants.1.weight': '70',
  'preview.title': 'Spring',
  'preview.description': 'All of it must go.',
  'preview.image': 'https://example.com/a.png',
};
const RULE_OF = (condition: Readonly<Record<string, string>>) => ({
  rules: '1',
  'rules.0.name': 'one',
  'rules.0.url': 'https://example.com/c',
  'rules.0.if': '1',
  ...Object.fromEntries(Object.entries(condition).map(([name, text]) => [`rules.0.if.0.${name}`, text])),
  variants: '0',
});
const HOURS = { type: 'hours', from: '09:00', until: '17:00', tz: 'Europe/Vienna', 'days.mon': 'on' };
const DATE = { type: 'date', from: '2027-01-01T00:00', until: '2028-01-01T00:00' };
const OPTIONS = {
  starts_at: '2027-01-01T00:00',
  expires_at: '2028-01-01T00:00',
  max_clicks: '5',
  expired_url: 'https://example.com/over',
  redirect_status: '308',
  forward_query: 'keep',
  forward_path: 'false',
  inspectable: 'false',
};
const FILE = Buffer.from('url,slug\nhttps://example.com/,{slug}\n').toString('base64');
const MOVED = { format: 'csv', name: 'links.csv', content: FILE };
const PIECE = {
  format: 'csv',
  checked: 'from=terse',
  import_id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  rows_before: '1000',
  rows: '1000',
  unchanged: '1',
  failed: '2',
  is_last: 'true',
};

const LOGO = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>').toString('base64');

export const PAGES: readonly Page[] = [
  get(''),
  get('/sign-in', { next: '/platform/account' }),
  post('/sign-in', { name: 'ann', password: '', next: '/platform' }),
  get('/account'),
  post('/account/time-zone', { tz: 'Europe/Vienna' }),
  post('/account/language', { language: 'en' }),
  post('/account/password', { current_password: 'x', new_password: 'long enough', new_password_again: 'long enough' }),
  get('/account/factors'),
  get('/account/factors/app'),
  post('/account/factors/app', { sealed: 'x', code: '123456' }),
  get('/account/factors/app/remove'),
  get('/account/factors/codes'),
  get('/confirm', { next: '/platform/account' }),
  post('/confirm', { current_password: 'x', code: '' }),
  get('/account/sessions/others/end'),
  get('/account/sessions/{link}/end'),
  get('/invite/{invite}'),
  post('/invite/{invite}', { name: 'eve', password: 'short' }),
  get('/reset/{invite}'),
  post('/reset/{invite}', { new_password: 'long enough', new_password_again: 'long enough' }),
  get(`${C}/live`, { link_id: '{link}' }),
  get(`${C}/live/stream`, { link_id: '{link}', last_event_id: '1795255198000-1' }),
  get(C, { days: '7' }),
  get(`${C}/links`, { q: 'example', state: 'active', campaign_name: 'Spring', sort: 'clicks', limit: '25' }),
  get(`${C}/links/new`),
  post(`${C}/links/new`, { ...NEW_LINK, utm_source: 'a', utm_campaign: 'b' }),
  post(`${C}/links/check`, { ...NEW_LINK, slug: 'spring', utm_source: 'a' }),
  get(`${C}/links/files`),
  get(`${C}/links/export.csv`),
  get(`${C}/links/export.ndjson`),
  post(`${C}/links/import`, { ...MOVED, from: 'map', column_0: 'url', column_1: 'slug', place: 'shared' }, true),
  post(`${C}/links/import/run`, { ...MOVED, checked: 'map_url=url&host=bit.ly:shared&unprotected=publish' }, true),
  post(`${C}/links/import/piece`, PIECE, true),
  get(`${C}/links/selected`, { do: 'disable', id: '{link}', back: '?q=a' }),
  post(`${C}/links/selected`, { do: 'disable', id: '{link}', back: '?q=a' }),
  get(`${C}/links/selected`, { do: 'campaign', id: '{link}' }),
  post(`${C}/links/selected`, { do: 'campaign', id: '{link}', campaign_name: 'Spring' }),
  post(`${C}/links/selected`, { do: 'expiry', id: '{link}', expires_at: '2099-01-01T00:00' }),
  post(`${C}/links/selected`, { do: 'undo_expiry', id: '{link}', edit: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }),
  get(`${C}/links/codes`, { id: '{link}', back: '?q=a' }),
  post(`${C}/links`, { url: 'https://example.com/', slug: 'spring' }),
  get(`${C}/links/{link}`, { days: '90' }),
  get(`${C}/links/{link}/details`),
  get(`${C}/links/{link}/history`, { older: 'a' }),
  get(`${C}/links/{link}/api`),
  get(`${C}/links/{link}/qr`, { colour: '#1d4f91', background: 'ffffff', margin: '2', level: 'Q', size: '512' }),
  get(`${C}/links/{link}/print`, { colour: '1d4f91' }),
  post(`${C}/links/{link}/qr`, { colour: '#000000', level: 'H', kept_logo: LOGO }, true),
  get(`${C}/links/{link}/qr/remove-logo`),
  post(`${C}/links/{link}/qr/remove-logo`),
  get(`${C}/links/{link}/try`, {
    agent: 'iphone',
    country: 'DE',
    language: 'de',
    referrer: 'https://example.com/',
    query: 'a=b',
    path: 'a/b',
    at: '2027-01-01T00:00',
  }),
  get(`${C}/links/{link}/edit`),
  post(`${C}/links/{link}/edit`, { ...ROUTES, url: 'https://example.com/b', revision: '1', do: 'rules.0.if.add' }),
  post(`${C}/links/new`, { ...NEW_LINK, ...ROUTES, ...OPTIONS }),
  ...[HOURS, DATE, { type: 'language', in: 'de, pt-BR' }, { type: 'referrer', in: 'example.com' }].map((condition) =>
    post(`${C}/links/check`, { ...NEW_LINK, ...RULE_OF(condition) }),
  ),
  post(`${C}/links/{link}/edit`, { ...ROUTES, ...OPTIONS, url: 'https://example.com/b', revision: '1', password: 'x' }),
  post(`${C}/links/{link}/edit`, { ...RULE_OF(HOURS), revision: '1', remove_password: 'on' }),
  post(`${C}/links/{link}/edit`, {
    url: 'https://example.com/b',
    slug: '{link}',
    sec_id: 'a',
    tags: 'b',
    revision: '1',
  }),
  get(`${C}/links/{link}/delete`),
  post(`${C}/links/{link}/delete`),
  post(`${C}/links/{link}/restore`),
  post(`${C}/links/{link}/disable`),
  post(`${C}/links/{link}/enable`),
  post(`${C}/links/{link}/history/1/put-back`),
  get(`${C}/links/{link}/aliases/{link}/remove`),
  get(`${C}/keys`),
  get(`${C}/links/views/new`, { state: 'expired', sort: 'clicks' }),
  post(`${C}/links/views/new`, { name: 'a view', view: '', query: 'state=expired&sort=clicks' }),
  get(`${C}/links/views/{nonce}`),
  post(`${C}/links/views/{nonce}`, { name: 'a view' }),
  get(`${C}/links/utm-templates`),
  post(`${C}/links/utm-templates/new`, { name: 'a template', utm_source: 'a', utm_term: 'b' }),
  post(`${C}/links/utm-templates/{nonce}/delete`),
  get(`${C}/keys/new`),
  post(`${C}/keys/new`, { name: 'a key', scopes: 'links:read', nonce: '{nonce}' }),
  get(`${C}/keys/{key_id}`),
  post(`${C}/keys/{key_id}`, { name: 'another name' }),
  get(`${C}/keys/{key_id}/revoke`),
  get(`${C}/domains`),
  get(`${C}/domains/new`),
  post(`${C}/domains/new`, { host: 'go.acme.example', root_url: 'https://example.com/' }),
  get(`${C}/domains/{domain}`),
  get(`${C}/campaigns/Spring`, { card: 'links', country: 'DE', csv: 'link' }),
  get(`${C}/campaigns/Spring/rename`, { name: 'Summer' }),
  post(`${C}/campaigns/Spring/rename`, { name: 'Summer' }),
  post(`${C}/campaigns/Spring/unmerge`, { edit: '00000000-0000-4000-8000-000000000000' }),
  get(`${C}/share`),
  post(`${C}/share`, { password: 'open sesame' }),
  post(`${C}/share/password`, { password: '', remove: 'on' }),
  post(`${C}/share/revoke`),
  get(`${C}/tags`, { cursor: '' }),
  get(`${C}/tags/{tags}`, { card: 'links', period: '7d' }),
  post(`${C}/domains/{domain}`, { root_url: 'https://example.com/', not_found_url: '' }),
  post(`${C}/domains/{domain}/app-links`, { apple_app_site_association: '{"applinks":{}}', asset_links: '' }, true),
  post(`${C}/domains/{domain}/logo`, { logo: LOGO }, true),
  get(`${C}/domains/{domain}/logo/remove`),
  post(`${C}/domains/{domain}/logo/remove`),
  post(`${C}/domains/{domain}/verify`),
  get(`${C}/domains/{domain}/remove`),
  post(`${C}/domains/{domain}/remove`, { force: 'on' }),
  get(`${C}/members`),
  get(`${C}/members/invite`),
  post(`${C}/members/invite`, { role: 'member', nonce: '{nonce}' }),
  get(`${C}/members/{user}`),
  post(`${C}/members/{user}`, { role: 'owner' }),
  post(`${C}/members/{user}/lift`, {}),
  get(`${C}/settings/provider`),
  post(`${C}/settings/provider`, { emergency_owner: '{user}' }),
  post(`${C}/settings/provider/days`, { unconfirmed_days: '30' }),
  get(`${C}/members/{user}/remove`),
  get(`${C}/members/{user}/reset`),
  get(`${C}/webhooks`),
  get(`${C}/webhooks/new`),
  post(`${C}/webhooks/new`, { url: 'https://8.8.8.8/', events: 'link.created', tag: '', nonce: '{nonce}' }),
  get(`${C}/webhooks/{webhook}`, { show: 'failed', cursor: '' }),
  post(`${C}/webhooks/{webhook}`, { url: 'https://8.8.8.8/', events: 'link.created', tag: '{tags}' }),
  post(`${C}/webhooks/{webhook}/disable`),
  post(`${C}/webhooks/{webhook}/enable`),
  post(`${C}/webhooks/{webhook}/redeliver`, { hours: '24' }),
  get(`${C}/webhooks/{webhook}/deliveries/{nonce}`),
  post(`${C}/webhooks/{webhook}/deliveries/{nonce}`),
  get(`${C}/webhooks/{webhook}/delete`),
  get(`${C}/audit`),
];

/** Changes one of some fields: another text, no field, or one more. */
export function bend(
  fields: Readonly<Record<string, string>>,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<readonly (readonly [string, string])[]> {
  const pairs = Object.entries(fields);
  const names = pairs.map(([name]) => name);
  const more = fc.tuple(fc.constantFrom('cursor', 'limit', 'expires_at', 'custom_domain', 'older', '__proto__'), text);
  return fc.oneof(
    fc.constant(pairs),
    more.map((pair) => [...pairs, pair]),
    ...(names.length === 0
      ? []
      : [
          fc
            .tuple(fc.constantFrom(...names), text)
            .map(([bent, value]) => pairs.map(([name, former]) => [name, name === bent ? value : former] as const)),
          fc.constantFrom(...names).map((left) => pairs.filter(([name]) => name !== left)),
        ]),
  );
}

import createClient from 'openapi-fetch';
import type { components, paths } from './terse.d.ts';

/**
 * A whole journey by the types of the API: signs in, makes a link, follows it, asks about it, reads its statistics, edits it
 * twice by what is known of it, where the second edit is refused, deletes it and restores it.
 *
 *     node cli/client/journey.ts http://localhost:8787 admin PASSWORD default
 */

const [origin = '', user = '', password = '', client_id = ''] = process.argv.slice(2);
const terse = createClient<paths>({ baseUrl: origin });

const basic = Buffer.from(`${user}:${password}`).toString('base64');
const signIn = await terse.GET('/tokens/create_token', { headers: { Authorization: `Basic ${basic}` } });
if (!signIn.data) throw new Error(signIn.error.result);
const { access_token, api_token } = signIn.data;
const bearer = { Authorization: `Bearer ${access_token}` };

const made = await terse.POST('/v1/links', {
  headers: { 'X-API-Key': api_token },
  body: { url: 'https://example.com/', client_id, campaign_name: 'journey', metadata: '{"a":1}' },
});
if (!made.data) throw new Error(made.error.error);
// The other answer is for those who ask for it by `Accept`.
if (!('result' in made.data)) throw new Error('the link is not in the published format');
// `result` is JSON text, which its type does not say.
const link: components['schemas']['LinkRecord'] = JSON.parse(made.data.result);

const slug = link.short_url.split('/').at(-1) ?? '';
const followed = await terse.GET('/{slug}', { params: { path: { slug } }, redirect: 'manual', parseAs: 'stream' });

const { id, sec_id } = link;
const info = await terse.GET('/info/{id}/{client_id}/{sec_id}', {
  params: { path: { id, client_id, sec_id } },
  headers: bearer,
});
if (!info.data) throw new Error(info.error.error);
const { clicks }: components['schemas']['LinkInfo'] = JSON.parse(info.data.result);

const stats = await terse.GET('/v1/links/{id}/stats', {
  params: { path: { id }, query: { by: 'day' } },
  headers: bearer,
});
if (!stats.data) throw new Error(stats.error.error);

const at = { params: { path: { id } }, headers: bearer };
const known = await terse.GET('/v1/links/{id}', at);
const ifMatch = { ...at, params: { ...at.params, header: { 'If-Match': known.response.headers.get('ETag') ?? '' } } };
const edited = await terse.PATCH('/v1/links/{id}', { ...ifMatch, body: { campaign_name: null } });
const stale = await terse.PATCH('/v1/links/{id}', { ...ifMatch, body: { campaign_name: 'late' } });
const deleted = await terse.DELETE('/v1/links/{id}', at);
const restored = await terse.POST('/v1/links/{id}/restore', at);

console.log(
  JSON.stringify({
    made: [link.url, link.metadata],
    followed: [followed.response.status, followed.response.headers.get('Location')],
    clicks: clicks.by_day.length,
    stats: stats.data.rows.length,
    edited: edited.data?.campaign_name,
    stale: [stale.response.status, stale.error?.error.split(':')[0]],
    deleted: deleted.response.status,
    restored: restored.data?.state,
  }),
);

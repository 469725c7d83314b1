import { client } from './hey-api/client.gen.ts';
import * as terse from './hey-api/index.ts';

const [origin = '', user = '', password = '', client_id = ''] = process.argv.slice(2);
client.setConfig({ baseUrl: origin });

const signIn = await terse.createToken({ auth: `${user}:${password}` });
if (!signIn.data) throw new Error(signIn.error.result);
const { access_token, api_token } = signIn.data;

// The credential for each of the document's security schemes.
const asProgram = ({ name }: { readonly name?: string }) => (name === 'X-API-Key' ? api_token : undefined);
const auth = ({ scheme }: { readonly scheme?: string }) => (scheme === 'bearer' ? access_token : undefined);

const made = await terse.createLink({
  auth: asProgram,
  body: { url: 'https://example.com/', client_id, campaign_name: 'journey', metadata: '{"a":1}' },
});
if (!made.data || !('result' in made.data)) throw new Error(JSON.stringify(made.error));
const link: terse.LinkRecord = JSON.parse(made.data.result);
const { id, sec_id } = link;

const slug = link.short_url.split('/').at(-1) ?? '';
const followed = await terse.followLink({ path: { slug }, redirect: 'manual', parseAs: 'stream' });

const info = await terse.getLinkInfo({ auth, path: { id, client_id, sec_id } });
if (!info.data) throw new Error(info.error.error);
const { clicks }: terse.LinkInfo = JSON.parse(info.data.result);

const stats = await terse.getLinkStats({ auth, path: { id }, query: { by: 'day' } });
if (!stats.data) throw new Error(stats.error.error);

const known = await terse.getLink({ auth, path: { id } });
const headers = { 'If-Match': known.response?.headers.get('ETag') ?? '' };
const edited = await terse.editLink({ auth, path: { id }, headers, body: { campaign_name: null } });
const stale = await terse.editLink({ auth, path: { id }, headers, body: { campaign_name: 'late' } });
const deleted = await terse.deleteLink({ auth, path: { id } });
const restored = await terse.restoreLink({ auth, path: { id } });

console.log(
  JSON.stringify({
    made: [link.url, link.metadata],
    followed: [followed.response?.status, followed.response?.headers.get('Location')],
    clicks: clicks.by_day.length,
    stats: stats.data.rows.length,
    edited: edited.data?.campaign_name,
    stale: [stale.response?.status, stale.error?.error?.split(':')[0]],
    deleted: deleted.response?.status,
    restored: restored.data?.state,
  }),
);

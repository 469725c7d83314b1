import * as terse from './orval-fetch.ts';
import {
  CreateLinkResponse,
  EditLinkResponse,
  GetLinkInfoResponse,
  GetLinkStatsResponse,
  RestoreLinkResponse,
} from './orval-zod.ts';

// Answers are parsed with the generated zod schemas.

const [, user = '', password = '', client_id = ''] = process.argv.slice(2);

const basic = Buffer.from(`${user}:${password}`).toString('base64');
const signIn = await terse.createToken({ headers: { Authorization: `Basic ${basic}` } });
if (signIn.status !== 201) throw new Error(JSON.stringify(signIn.data));
const { access_token, api_token } = signIn.data;
const own = { headers: { Authorization: `Bearer ${access_token}` } };

const fields = { url: 'https://example.com/', client_id, campaign_name: 'journey', metadata: '{"a":1}' };
const made = await terse.createLink(fields, {
  headers: { 'X-API-Key': api_token, 'Content-Type': 'application/json' },
});
if (made.status !== 200) throw new Error(JSON.stringify(made.data));
const link: terse.LinkRecord = JSON.parse(CreateLinkResponse.parse(made.data).result);
const { id, sec_id } = link;

const followed = await terse.followLink(link.short_url.split('/').at(-1) ?? '', { redirect: 'manual' });

const info = await terse.getLinkInfo(id, client_id, sec_id, own);
const { clicks }: terse.LinkInfo = JSON.parse(GetLinkInfoResponse.parse(info.data).result);
const stats = GetLinkStatsResponse.parse((await terse.getLinkStats(id, { by: 'day' }, own)).data);

const known = await terse.getLink(id, {}, own);
const matching = { headers: { ...own.headers, 'If-Match': known.headers.get('ETag') ?? '' } };
const edited = EditLinkResponse.parse((await terse.editLink(id, { campaign_name: null }, {}, matching)).data);
const stale = await terse.editLink(id, { campaign_name: 'late' }, {}, matching);
const deleted = await terse.deleteLink(id, {}, own);
const restored = RestoreLinkResponse.parse((await terse.restoreLink(id, {}, own)).data);

console.log(
  JSON.stringify({
    made: [link.url, link.metadata],
    followed: [followed.status, followed.headers.get('Location')],
    clicks: clicks.by_day.length,
    stats: stats.rows.length,
    edited: edited.campaign_name,
    stale: [stale.status, stale.status === 412 && stale.data.error.split(':')[0]],
    deleted: deleted.status,
    restored: restored.state,
  }),
);

import type { Permission } from '../../src/accounts/scopes.ts';
import type { Caller } from './forms.ts';
import { answer, ask, seedKey, seedMember } from './management.ts';
import { newHost, openDomainIsolate, seedClaim } from './domains.ts';
import { seedLink } from './seed.ts';
import type { Call } from './service.ts';
import type { Endpoint } from './endpoint.ts';
import { RESOURCES } from './resources.ts';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.ts';

/**
 * The endpoints that take any credential, and the permission they need. `POST /v1/links` and its batch are not among
 * them, since their bodies name the client.
 */

export const methodOf = ({ name }: Endpoint): string => name.split(' ', 1)[0]!;

const at = (path: string, body?: object | string) => async () => ({ path, ...(body && { body }) });
const ofKey = (rest: string, body?: object) => async (owner: Caller) => ({
  path: `/v1/keys/${(await seedKey(owner)).id}${rest}`,
  ...(body && { body }),
});
const ofMember = (rest: string, body?: object) => async (owner: Caller) => ({
  path: `/v1/members/${(await seedMember(owner)).userId}${rest}`,
  ...(body && { body }),
});

function ofLink(name: string, needs: Permission, status: number, rest = '', body?: object): Endpoint {
  const prepare = async (owner: Caller) => ({
    path: `/v1/links/${(await seedLink(owner)).id}${rest}`,
    ...(body && { body }),
  });
  return { name, needs, status, ofOne: true, saysClient: true, prepare };
}

// Nothing answers at the hosts there, so that no test waits for one.
const throughDomainIsolate: Call = (path, init) =>
  openDomainIsolate({ DOMAIN_PROBE_URL: 'http://127.0.0.1:9' })(path, init);

function ofDomain(name: string, needs: Permission, status: number, rest = '', body?: object): Endpoint {
  const prepare = async (owner: Caller) => ({
    path: `/v1/domains/${(await seedClaim(owner)).id}${rest}`,
    ...(body && { body }),
  });
  return { name, needs, status, ofOne: true, through: throughDomainIsolate, prepare };
}

export const ENDPOINTS: readonly Endpoint[] = [
  { name: 'GET /v1/stats', needs: 'stats:read', status: 200, ofOne: false, prepare: at('/v1/stats') },
  { name: 'GET /v1/stats.csv', needs: 'stats:read', status: 200, ofOne: false, prepare: at('/v1/stats.csv') },
  {
    name: 'GET /v1/campaigns/{name}/stats',
    needs: 'stats:read',
    status: 200,
    ofOne: false,
    prepare: at('/v1/campaigns/spring/stats'),
  },
  {
    name: 'GET /v1/clicks/stream',
    needs: 'stats:read',
    status: 200,
    ofOne: false,
    prepare: at('/v1/clicks/stream'),
  },
  ...['', '.csv'].map((format): Endpoint => {
    const prepare = async (owner: Caller) => ({ path: `/v1/links/${(await seedLink(owner)).id}/stats${format}` });
    const name = `GET /v1/links/{id}/stats${format}`;
    return { name, needs: 'stats:read', status: 200, ofOne: true, saysClient: true, toStrangers: 'not_found', prepare };
  }),
  { name: 'GET /v1/campaigns', needs: 'links:read', status: 200, ofOne: false, prepare: at('/v1/campaigns') },
  {
    name: 'PATCH /v1/campaigns/{name}',
    needs: 'links:write',
    status: 200,
    ofOne: true,
    prepare: async (owner) => {
      const [former, name] = [crypto.randomUUID(), crypto.randomUUID()];
      await seedLink(owner, { campaign_name: former });
      return { path: `/v1/campaigns/${former}`, body: { name } };
    },
  },
  { name: 'GET /v1/links', needs: 'links:read', status: 200, ofOne: false, prepare: at('/v1/links') },
  ...['csv', 'ndjson'].map((format): Endpoint => {
    const name = `GET /v1/links/export?format=${format}`;
    const path = `/v1/links/export?format=${format}`;
    return { name, needs: 'links:read', status: 200, ofOne: false, prepare: at(path) };
  }),
  {
    name: 'POST /v1/links/import',
    needs: 'links:write',
    status: 200,
    ofOne: false,
    prepare: at('/v1/links/import', 'url\nhttps://example.com/imported\n'),
  },
  ofLink('GET /v1/links/{id}', 'links:read', 200),
  {
    name: 'GET /v1/links-by-external-id/{external_id}',
    needs: 'links:read',
    status: 200,
    ofOne: true,
    prepare: async (owner) => {
      const id = crypto.randomUUID();
      await seedLink(owner, { external_id: id });
      return { path: `/v1/links-by-external-id/${id}` };
    },
  },
  {
    name: 'PUT /v1/links-by-external-id/{external_id}',
    needs: 'links:write',
    status: 201,
    ofOne: false,
    prepare: async () => ({
      path: `/v1/links-by-external-id/${crypto.randomUUID()}`,
      body: { url: 'https://example.com/new' },
    }),
  },
  ofLink('PATCH /v1/links/{id}', 'links:write', 200, '', { url: 'https://example.com/new' }),
  ofLink('DELETE /v1/links/{id}', 'links:write', 204),
  ofLink('POST /v1/links/{id}/restore', 'links:write', 200, '/restore'),
  { ...ofLink('POST /v1/links/{id}/resolve', 'links:read', 200, '/resolve', { country: 'AT' }), isRead: true },
  ofLink('GET /v1/links/{id}/history', 'links:read', 200, '/history'),
  ofLink('GET /v1/links/{id}/qr.svg', 'links:read', 200, '/qr.svg'),
  ofLink('GET /v1/links/{id}/qr.png', 'links:read', 200, '/qr.png'),
  {
    ...ofLink('POST /v1/links/{id}/history/{n}/restore', 'links:write', 200),
    prepare: async (owner) => {
      const { id } = await seedLink(owner);
      await answer(await ask(owner, 'PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' }));
      return { path: `/v1/links/${id}/history/1/restore` };
    },
  },
  { name: 'GET /v1/keys', needs: 'keys', status: 200, ofOne: false, prepare: at('/v1/keys') },
  {
    name: 'POST /v1/keys',
    needs: 'keys',
    status: 201,
    ofOne: false,
    prepare: at('/v1/keys', { name: 'one more', scopes: ['links:read'] }),
  },
  { name: 'PATCH /v1/keys/{id}', needs: 'keys', status: 200, ofOne: true, prepare: ofKey('', { name: 'x' }) },
  { name: 'DELETE /v1/keys/{id}', needs: 'keys', status: 204, ofOne: true, prepare: ofKey('') },
  { name: 'POST /v1/keys/{id}/roll', needs: 'keys', status: 200, ofOne: true, prepare: ofKey('/roll') },
  { name: 'GET /v1/keys/{id}/links', needs: 'keys', status: 200, ofOne: true, prepare: ofKey('/links') },
  { name: 'GET /v1/members', needs: 'members', status: 200, ofOne: false, prepare: at('/v1/members') },
  {
    name: 'PATCH /v1/members/{local_id}',
    needs: 'members',
    status: 200,
    ofOne: true,
    prepare: ofMember('', { role: 'owner' }),
  },
  ...['revoke', 'adopt'].map((keys): Endpoint => {
    const name = `DELETE /v1/members/{local_id}?keys=${keys}`;
    return { name, needs: 'members', status: 204, ofOne: true, prepare: ofMember(`?keys=${keys}`) };
  }),
  { name: 'GET /v1/invites', needs: 'members', status: 200, ofOne: false, prepare: at('/v1/invites') },
  { name: 'POST /v1/invites', needs: 'members', status: 201, ofOne: false, prepare: at('/v1/invites', {}) },
  {
    name: 'DELETE /v1/invites/{id}',
    needs: 'members',
    status: 204,
    ofOne: true,
    prepare: async (owner) => {
      const { id } = await answer(await ask(owner, 'POST', '/v1/invites', {}), 201);
      return { path: `/v1/invites/${String(id)}` };
    },
  },
  ...RESOURCES.flatMap(({ endpoints }) => endpoints),
  ...WEBHOOK_ENDPOINTS,
  { name: 'GET /v1/audit', needs: 'audit', status: 200, ofOne: false, prepare: at('/v1/audit') },
  { name: 'GET /v1/domains', needs: 'domains:read', status: 200, ofOne: false, prepare: at('/v1/domains') },
  {
    name: 'POST /v1/domains',
    needs: 'domains:write',
    status: 201,
    ofOne: false,
    prepare: async () => ({ path: '/v1/domains', body: { host: newHost() } }),
  },
  { ...ofDomain('GET /v1/domains/{id}', 'domains:read', 200), saysClient: true },
  ofDomain('PATCH /v1/domains/{id}', 'domains:write', 200, '', {
    root_url: 'https://example.com/new',
    asset_links: [{ include: 'https://example.com/statements.json' }],
  }),
  ofDomain('POST /v1/domains/{id}/verify', 'domains:write', 200, '/verify'),
  ofDomain('DELETE /v1/domains/{id}', 'domains:write', 204),
  ofDomain('DELETE /v1/domains/{id}?force=true', 'domains:write', 204, '?force=true'),
];

import * as z from 'zod';
import type { KnownDomain, KnownInvite, KnownKey, KnownUser } from './known.ts';
import type { Service } from './service.ts';

/** Who acts: an owner of a client, by the access token of their sign-in. */
interface Owner {
  readonly clientId: string;
  readonly accessToken: string;
}

const headersOf = ({ accessToken }: Owner) => ({ Authorization: `Bearer ${accessToken}` });

const tokensShape = z.object({
  access_token: z.string(),
  api_token: z.string(),
  refresh_token: z.string(),
  local_id: z.string(),
});

/** Signs a user in by Basic, and refreshes the tokens once. */
export async function signIn(service: Service, name: string, password: string) {
  const credentials = Buffer.from(`${name}:${password}`).toString('base64');
  const headers = { Authorization: `Basic ${credentials}` };
  const first = (await service.send('GET /tokens/create_token', { headers, status: 201 })).as(tokensShape);
  const form = { refresh_token: first.refresh_token };
  const second = (await service.send('POST /tokens/refresh_token', { form, status: 201 })).as(tokensShape);
  return {
    localId: second.local_id,
    tokens: {
      accessToken: second.access_token,
      apiToken: second.api_token,
      refreshToken: second.refresh_token,
      usedRefreshToken: first.refresh_token,
    },
  };
}

/** Signs a user in on the platform, and returns the cookie of the browser; null if the release has no platform. */
export async function signInByBrowser(service: Service, name: string, password: string): Promise<string | null> {
  const page = await fetch(`${service.origin}/platform/sign-in`);
  await page.arrayBuffer();
  if (page.status === 404) return null;
  const { headers } = await service.send('POST /platform/sign-in', {
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: service.origin,
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
    },
    text: new URLSearchParams({ name, password, next: '/platform' }).toString(),
    status: 303,
  });
  const [cookie] = headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '');
  if (!cookie) throw new Error('the platform has set no cookie');
  return cookie;
}

const keyShape = z.object({ id: z.string(), key: z.string(), scopes: z.array(z.string()) });

/** Creates API keys over HTTP, rolls one and revokes one. */
export async function createKeys(service: Service, owner: Owner): Promise<KnownKey[]> {
  if (!service.has('POST /v1/keys')) return [];
  const { clientId } = owner;
  const [headers, query] = [headersOf(owner), `?client_id=${clientId}`];
  const create = async (name: string, scopes: readonly string[]) => {
    const key = (await service.send(`POST /v1/keys${query}`, { headers, json: { name, scopes }, status: 201 })).as(
      keyShape,
    );
    return { id: key.id, known: { name, clientId, text: key.key, scopes: key.scopes, state: 'active' as const } };
  };
  const { known: reader } = await create('read only', ['links:read']);
  const rolled = await create('rolled', ['links:read', 'links:write']);
  const { key: text } = (await service.send(`POST /v1/keys/${rolled.id}/roll${query}`, { headers })).as(keyShape);
  const revoked = await create('revoked', ['links:read']);
  await service.send(`DELETE /v1/keys/${revoked.id}${query}`, { headers, status: 204 });
  return [reader, { ...rolled.known, text, formerText: rolled.known.text }, { ...revoked.known, state: 'revoked' }];
}

const inviteShape = z.object({ id: z.string(), url: z.string() });
const joinedShape = z.object({ local_id: z.string() });

/**
 * Invites people: one joins and gets another role, one joins and is removed, one invite is revoked and one stays open.
 */
export async function invitePeople(
  service: Service,
  owner: Owner,
): Promise<{ readonly invites: KnownInvite[]; readonly users: KnownUser[] }> {
  const invites: KnownInvite[] = [];
  const users: KnownUser[] = [];
  if (!service.has('POST /v1/invites')) return { invites, users };
  const { clientId } = owner;
  const [headers, query] = [headersOf(owner), `?client_id=${clientId}`];
  const invite = async (role: KnownInvite['role'], state: KnownInvite['state']) => {
    const { id, url } = (await service.send(`POST /v1/invites${query}`, { headers, json: { role }, status: 201 })).as(
      inviteShape,
    );
    const token = new URL(url).pathname.split('/').at(-1) ?? '';
    invites.push({ clientId, role, token, state });
    return { id, token };
  };
  const join = async (name: string, password: string) => {
    const { token } = await invite('member', 'accepted');
    const json = { token, name, password };
    return (await service.send('POST /v1/invites/accept', { json, status: 201 })).as(joinedShape).local_id;
  };

  const cyd = { name: 'cyd', password: 'correct horse three' };
  const cydsId = await join(cyd.name, cyd.password);
  for (const role of ['owner', 'member']) {
    await service.send(`PATCH /v1/members/${cydsId}${query}`, { headers, json: { role } });
  }
  users.push({ ...cyd, localId: cydsId, clients: { [clientId]: 'member' } });

  const dan = { name: 'dan', password: 'correct horse four' };
  const dansId = await join(dan.name, dan.password);
  await service.send(`DELETE /v1/members/${dansId}${query}&keys=revoke`, { headers, status: 204 });
  users.push({ ...dan, localId: dansId, clients: {} });

  const { id } = await invite('member', 'revoked');
  await service.send(`DELETE /v1/invites/${id}${query}`, { headers, status: 204 });
  await invite('owner', 'open');
  return { invites, users };
}

const domainShape = z.object({ id: z.string(), host: z.string() });
const domainsShape = z.object({ domains: z.array(domainShape) });

/** Adds domains over HTTP, removes one, and sets where an active one redirects to. */
export async function createDomains(service: Service, owner: Owner, active: KnownDomain): Promise<KnownDomain[]> {
  if (!service.has('POST /v1/domains')) return [active];
  const { clientId } = owner;
  const [headers, query] = [headersOf(owner), `?client_id=${clientId}`];
  const add = async (host: string, fields: object) =>
    (await service.send(`POST /v1/domains${query}`, { headers, json: { host, ...fields }, status: 201 })).as(
      domainShape,
    );
  const { domains } = (await service.send(`GET /v1/domains${query}`, { headers })).as(domainsShape);
  const { id } = domains.find(({ host }) => host === active.host) ?? { id: '' };
  const roots = { root_url: 'https://acme.example/', not_found_url: 'https://acme.example/lost' };
  await service.send(`PATCH /v1/domains/${id}${query}`, { headers, json: roots });
  const changed = { ...active, rootUrl: roots.root_url, notFoundUrl: roots.not_found_url };

  const none = { clientId, rootUrl: null, notFoundUrl: null };
  const hasCases = service.takes('POST /v1/domains', 'case_sensitive');
  const pending = await add('links.acme.example', hasCases ? { case_sensitive: true } : {});
  const removed = await add('old.acme.example', {});
  await service.send(`DELETE /v1/domains/${removed.id}${query}`, { headers, status: 204 });
  return [
    hasCases ? { ...changed, caseSensitive: false } : changed,
    { host: pending.host, status: 'pending', ...none, ...(hasCases && { caseSensitive: true }) },
    { host: removed.host, status: 'removed', ...none },
  ];
}

const auditShape = z.object({ entries: z.array(z.unknown()) });

/** The number of entries in the audit log of a client; 0 if the release has none. */
export async function countAudit(service: Service, owner: Owner): Promise<number> {
  if (!service.has('GET /v1/audit')) return 0;
  const operation = `GET /v1/audit?client_id=${owner.clientId}&limit=100`;
  return (await service.send(operation, { headers: headersOf(owner) })).as(auditShape).entries.length;
}

import * as z from 'zod';
import { withService } from '../operator.ts';
import type { KnownDomain, KnownKey, KnownUser } from './known.ts';
import type { Headers, Send } from './send.ts';

// Invented for tests: no service has these accounts.
const ANN = { name: 'ann', password: 'correct horse one', clients: { acme: 'owner' } } as const;
const BOB = { name: 'bob', password: 'correct horse two', clients: { globex: 'owner', acme: 'owner' } } as const;
const DOMAIN = 'go.acme.example';

/** The host that is blocked after links lead to it. */
export const BLOCKED = 'blocked.example';

/** The accounts of a fixture. */
export interface Accounts {
  readonly users: readonly [typeof ANN, typeof BOB];
  /** The API key of each client, as a header. */
  readonly keys: Readonly<Record<string, Headers>>;
}

/** Creates the users, their keys and a domain with the operator's tools. No server may run. */
export function createAccounts(persistTo: string): Promise<Accounts> {
  return withService({ remote: false, persistTo, environment: null }, async ({ ask }) => {
    const keyOf = async (client_id: string) => {
      const { api_key } = await ask('make-key', { client_id, name: 'build server' }, z.object({ api_key: z.string() }));
      return { 'X-API-Key': api_key };
    };
    await ask('add-user', { name: ANN.name, password: ANN.password, client_id: 'acme' }, z.unknown());
    await ask('add-user', { name: BOB.name, password: BOB.password, client_id: 'globex' }, z.unknown());
    await ask('join-client', { name: BOB.name, client_id: 'acme' }, z.unknown());
    await ask('add-domain', { host: DOMAIN, client_id: 'acme' }, z.unknown());
    return { users: [ANN, BOB], keys: { acme: await keyOf('acme'), globex: await keyOf('globex') } };
  });
}

/** Blocks a host to which one of the links leads. No server may run. */
export async function blockHost(persistTo: string): Promise<void> {
  const location = { remote: false, persistTo, environment: null };
  await withService(location, ({ ask }) => ask('block-host', { host: BLOCKED }, z.unknown()));
}

/** The credentials of a sign-in, and the part of them that tests know. */
export interface SignedIn {
  readonly bearer: Headers;
  readonly apiToken: string;
  readonly known: Required<Pick<KnownUser, 'localId' | 'tokens' | 'sessionCookie'>>;
}

interface Tokens {
  readonly access_token: string;
  readonly api_token: string;
  readonly refresh_token: string;
  readonly local_id: string;
}

/** Signs a user in by Basic, refreshes the tokens once, and signs in a browser. */
export async function signIn(
  send: Send,
  origin: string,
  { name, password }: typeof ANN | typeof BOB,
): Promise<SignedIn> {
  const basic = { Authorization: `Basic ${btoa(`${name}:${password}`)}` };
  const first = await send<Tokens>('GET /tokens/create_token', basic);
  const form = new URLSearchParams({ refresh_token: first.refresh_token });
  const second = await send<Tokens>('POST /tokens/refresh_token', {}, form);
  const page = await fetch(`${origin}/platform/sign-in`, {
    method: 'POST',
    headers: { Origin: origin, 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0' },
    body: new URLSearchParams({ name, password, next: '/platform' }),
    redirect: 'manual',
  });
  const [cookie] = page.headers.getSetCookie();
  const sessionCookie = cookie?.split(';', 1)[0];
  if (!sessionCookie) throw new Error(`the sign-in of a browser returned ${page.status} without a cookie`);
  const tokens = { refreshToken: second.refresh_token, usedRefreshToken: first.refresh_token };
  return {
    bearer: { Authorization: `Bearer ${second.access_token}` },
    apiToken: second.api_token,
    known: { localId: second.local_id, tokens, sessionCookie },
  };
}

/** Creates the keys, domains and people of `acme` as its owner does. Returns them as they are then. */
export async function managePeople(send: Send, { bearer }: SignedIn, keys: Accounts['keys']) {
  const ask = <Body>(operation: string, body?: object) => send<Body>(`${operation}client_id=acme`, bearer, body);
  return {
    apiKeys: [...Object.entries(keys).map(operatorKey), ...(await createKeys(ask))],
    domains: await createDomains(ask),
    users: await invitePeople(send, ask),
  };
}

type Ask = <Body>(operation: string, body?: object) => Promise<Body>;

const operatorKey = ([clientId, header]: readonly [string, Headers]): KnownKey => ({
  name: 'build server',
  clientId,
  text: header['X-API-Key'] ?? '',
  scopes: null,
  state: 'active',
});

/** Creates API keys, rolls one and revokes one. */
async function createKeys(ask: Ask): Promise<KnownKey[]> {
  const create = async (name: string, scopes: readonly string[]) => {
    const { id, key } = await ask<{ id: string; key: string }>('POST /v1/keys?', { name, scopes });
    return { id, known: { name, clientId: 'acme', text: key, scopes, state: 'active' as const } };
  };
  const reader = await create('read only', ['links:read']);
  const rolled = await create('rolled', ['links:read', 'links:write']);
  const { key: text } = await ask<{ key: string }>(`POST /v1/keys/${rolled.id}/roll?`);
  const revoked = await create('revoked', ['links:read']);
  await ask(`DELETE /v1/keys/${revoked.id}?`);
  return [reader.known, { ...rolled.known, text }, { ...revoked.known, state: 'revoked' }];
}

/** Invites people: one joins and gets another role, one joins and is removed; one invite is revoked, one stays open. */
async function invitePeople(send: Send, ask: Ask): Promise<KnownUser[]> {
  const invite = (role: string) => ask<{ id: string; url: string }>('POST /v1/invites?', { role });
  const join = async (name: string, password: string) => {
    const token = new URL((await invite('member')).url).pathname.split('/').at(-1);
    return (await send<Tokens>('POST /v1/invites/accept', {}, { token, name, password })).local_id;
  };
  const cyd = { name: 'cyd', password: 'correct horse three' };
  const dan = { name: 'dan', password: 'correct horse four' };
  const [cydsId, dansId] = [await join(cyd.name, cyd.password), await join(dan.name, dan.password)];
  for (const role of ['owner', 'member']) await ask(`PATCH /v1/members/${cydsId}?`, { role });
  await ask(`DELETE /v1/members/${dansId}?keys=revoke&`);
  await ask(`DELETE /v1/invites/${(await invite('member')).id}?`);
  await invite('owner');
  return [
    { ...cyd, localId: cydsId, clients: { acme: 'member' } },
    { ...dan, localId: dansId, clients: {} },
  ];
}

/** Sets where an active domain redirects to, adds one, and removes one. */
async function createDomains(ask: Ask): Promise<KnownDomain[]> {
  const { domains } = await ask<{ domains: readonly { id: string; host: string }[] }>('GET /v1/domains?');
  const [rootUrl, notFoundUrl] = ['https://acme.example/', 'https://acme.example/lost'];
  const active = domains.find(({ host }) => host === DOMAIN);
  await ask(`PATCH /v1/domains/${active?.id}?`, { root_url: rootUrl, not_found_url: notFoundUrl });
  await ask('POST /v1/domains?', { host: 'links.acme.example', case_sensitive: true });
  const { id } = await ask<{ id: string }>('POST /v1/domains?', { host: 'old.acme.example' });
  await ask(`DELETE /v1/domains/${id}?`);
  const none = { rootUrl: null, notFoundUrl: null };
  return [
    { host: DOMAIN, status: 'active', rootUrl, notFoundUrl },
    { host: 'links.acme.example', status: 'pending', ...none },
    { host: 'old.acme.example', status: 'removed', ...none },
  ];
}

import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { addMember, disableUser, enableUser } from '../../src/accounts/operator.ts';
import { EXAMPLE, bearerOf, expectFailure, seedCaller, storedLinks, type Caller } from '../support/forms.ts';
import { NO_CLICKS, db, seedDomain, seedLink, type LinkRecord } from '../support/seed.ts';
import { call } from '../support/service.ts';

/** The permissions on each client: the whole matrix of credentials, clients and states. */

type Credential = 'API key' | 'api_token' | 'access token';
/** The client of the caller's key; a second client of the caller's user; a client of another user; none at all. */
type Side = 'own' | 'second' | 'other' | 'unknown';

interface Scene {
  readonly caller: Caller;
  readonly clients: Readonly<Record<Side, string>>;
}

/** A caller whose user belongs to two clients, with a key for the first, and a stranger. */
async function seedScene(): Promise<Scene> {
  const [caller, second, stranger] = [await seedCaller(), await seedCaller(), await seedCaller()];
  await addMember(db, caller.userName, second.clientId);
  const clients = { own: caller.clientId, second: second.clientId, other: stranger.clientId };
  return { caller, clients: { ...clients, unknown: `client-${crypto.randomUUID().slice(0, 8)}` } };
}

/** A caller's link, and the same tenant's key to make it with. */
const linkOf = (caller: Caller, clientId: string): Promise<LinkRecord> =>
  seedLink({ ...caller, clientId, apiKey: caller.apiToken });

function create(caller: Caller, credential: Credential, fields: Readonly<Record<string, string>>): Promise<Response> {
  const form = { url: EXAMPLE, ...fields };
  if (credential === 'access token') return call('/shortener/encode', { headers: bearerOf(caller), form });
  const key = credential === 'API key' ? caller.apiKey : caller.apiToken;
  return call('/v1/links', { headers: { 'X-API-Key': key }, form });
}

function info(caller: Caller, link: { id: string; client_id: string; sec_id: string }): Promise<Response> {
  return call(`/info/${link.id}/${link.client_id}/${link.sec_id}`, { headers: bearerOf(caller) });
}

const wrongClient = (clientId: string) =>
  `wrong_client: The credential does not belong to the client ${clientId}. Send the client_id that it belongs to.`;
const BAD_CREDENTIAL =
  'invalid_credential: The credential is revoked, expired or unknown. Use another one, or create a new one.';
const ENDED =
  'invalid_credential: The sign-in of this token has expired or was revoked. Sign in again to get a new token.';
const NO_LINK = 'not_found: There is no link with this id, client_id and sec_id that you can access.';

it.each<[credential: Credential, side: Side, status: 200 | 403]>([
  ['API key', 'own', 200],
  ['API key', 'second', 403],
  ['API key', 'other', 403],
  ['API key', 'unknown', 403],
  ['api_token', 'own', 200],
  ['api_token', 'second', 200],
  ['api_token', 'other', 403],
  ['api_token', 'unknown', 403],
  ['access token', 'own', 200],
  ['access token', 'second', 200],
  ['access token', 'other', 403],
  ['access token', 'unknown', 403],
])('an %s that creates a link for its %s client gets %i', async (credential, side, status) => {
  const { caller, clients } = await seedScene();
  const before = await storedLinks();
  const response = await create(caller, credential, { client_id: clients[side] });
  if (status === 200) {
    expect(response.status).toBe(200);
    const { result } = await response.json<{ result: string }>();
    expect(JSON.parse(result)).toMatchObject({ client_id: clients[side] });
    expect(await storedLinks()).toEqual({ links: before.links + 1, addresses: before.addresses + 1 });
  } else {
    await expectFailure(response, 403, wrongClient(clients[side]));
    expect(await storedLinks()).toEqual(before);
  }
});

it.each<[linkOf: 'own' | 'second' | 'other', askedAs: Side, secId: 'right' | 'wrong', status: 200 | 400]>([
  ['own', 'own', 'right', 200],
  ['own', 'own', 'wrong', 400],
  ['own', 'second', 'right', 400],
  ['own', 'other', 'right', 400],
  ['own', 'unknown', 'right', 400],
  ['second', 'second', 'right', 200],
  ['second', 'own', 'right', 400],
  ['second', 'second', 'wrong', 400],
  ['other', 'other', 'right', 400],
  ['other', 'other', 'wrong', 400],
  ['other', 'own', 'right', 400],
  ['other', 'unknown', 'right', 400],
])('info on a link of the %s client, requested as %s with the %s sec_id, is %i', async (of, as, secId, status) => {
  const [{ caller, clients }, owner] = [await seedScene(), await seedCaller()];
  const link = of === 'other' ? await linkOf(owner, owner.clientId) : await linkOf(caller, clients[of]);
  const client_id = as === 'other' && of === 'other' ? owner.clientId : clients[as];
  const response = await info(caller, { ...link, client_id, sec_id: secId === 'right' ? link.sec_id : 'another' });
  if (status === 400) return expectFailure(response, 400, NO_LINK);
  expect(response.status).toBe(200);
  const { result } = await response.json<{ result: string }>();
  expect(JSON.parse(result)).toEqual({ ...link, clicks: NO_CLICKS });
});

/** All that a caller sees of an answer, but for the number of the request and the client that was asked for. */
async function visibleOf(response: Response, clientId = ''): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id');
  return { status: response.status, headers, body: (await response.text()).replace(clientId, '') };
}

it('info is the same for another client’s link and for no link', async () => {
  const [caller, owner] = [await seedCaller(), await seedCaller()];
  const link = await linkOf(owner, owner.clientId);
  const noLink = await visibleOf(await info(caller, { ...link, id: '66666666' }));
  expect(noLink).toMatchObject({ status: 400 });
  expect(await visibleOf(await info(caller, link))).toEqual(noLink);
  expect(await visibleOf(await info(caller, { ...link, client_id: caller.clientId }))).toEqual(noLink);
  expect(await visibleOf(await info(caller, { ...link, client_id: 'no-such-client' }))).toEqual(noLink);
});

it.each<Credential>(['API key', 'api_token', 'access token'])(
  'an %s gets the same response for another client and for no client',
  async (credential) => {
    const { caller, clients } = await seedScene();
    const other = await visibleOf(await create(caller, credential, { client_id: clients.other }), clients.other);
    const unknown = await visibleOf(await create(caller, credential, { client_id: clients.unknown }), clients.unknown);
    expect(other).toEqual(unknown);
  },
);

it.each<Credential>(['API key', 'api_token', 'access token'])(
  'refuses an %s a custom domain of another client as it does an unknown one',
  async (credential) => {
    const { caller, clients } = await seedScene();
    const taken = await seedDomain({ ...caller, clientId: clients.other });
    const seconds = await seedDomain({ ...caller, clientId: clients.second });
    const before = await storedLinks();
    for (const custom_domain of [taken, seconds, 'nobody.example']) {
      const error = `unknown_domain: custom_domain ${custom_domain} is not one of your active domains. Verify it first, or leave it out.`;
      await expectFailure(await create(caller, credential, { client_id: clients.own, custom_domain }), 400, error);
    }
    for (const custom_domain of [taken, seconds, 'nobody.example']) {
      const response = await create(caller, credential, { client_id: clients.other, custom_domain });
      await expectFailure(response, 403, wrongClient(clients.other));
    }
    expect(await storedLinks()).toEqual(before);
  },
);

const run = (sql: string, ...params: string[]) =>
  env.DB.prepare(sql)
    .bind(...params)
    .run();
const setKey = (set: string, { clientId }: Caller) => run(`UPDATE api_keys SET ${set} WHERE client_id = ?`, clientId);
const setUser = (set: string, { userId }: Caller) => run(`UPDATE users SET ${set} WHERE id = ?`, userId);
const setSignIn = (set: string, { userId }: Caller) =>
  run(`UPDATE token_families SET ${set} WHERE user_id = ?`, userId);

it.each<[what: string, key: number, tokens: number, info: number, happen: (caller: Caller) => Promise<unknown>]>([
  ['nothing happened', 200, 200, 200, async () => null],
  ['the key was revoked', 401, 200, 200, (caller) => setKey('revoked_at = 1', caller)],
  ['the key has expired', 401, 200, 200, (caller) => setKey(`expires_at = ${Date.now()}`, caller)],
  ['the key is soon to expire', 200, 200, 200, (caller) => setKey(`expires_at = ${Date.now() + 60_000}`, caller)],
  ['the sign-in was ended', 200, 401, 401, (caller) => setSignIn('ended_at = 1', caller)],
  ['the sign-in is over', 200, 401, 401, (caller) => setSignIn(`ends_at = ${Date.now()}`, caller)],
  ['the user was disabled', 401, 401, 401, ({ userName }) => disableUser(db, userName)],
  ['a sign-in outlives its user', 401, 401, 401, (caller) => setUser('disabled_at = 1', caller)],
  [
    'the user is back after that',
    200,
    401,
    401,
    async ({ userName }) => {
      await disableUser(db, userName);
      await enableUser(db, userName);
    },
  ],
  ['the user left the client', 401, 403, 400, ({ userId }) => run('DELETE FROM members WHERE user_id = ?', userId)],
])(
  'the service gives, when %s, the key %i, its creator’s tokens %i, and info %i',
  async (_what, key, tokens, lookUp, happen) => {
    const caller = await seedCaller();
    const link = await seedLink(caller);
    const { client_id } = link;
    await happen(caller);
    const before = await storedLinks();

    const creates = { 200: null, 401: BAD_CREDENTIAL, 403: wrongClient(client_id) } as Record<number, string | null>;
    let made = 0;
    for (const [credential, status] of [
      ['API key', key],
      ['api_token', tokens],
      ['access token', tokens],
    ] as const) {
      const response = await create(caller, credential, { client_id });
      if (status !== 200) await expectFailure(response, status, creates[status]);
      expect(response.status).toBe(status);
      made += Number(status === 200);
    }
    expect(await storedLinks()).toEqual({ links: before.links + made, addresses: before.addresses + made });

    const response = await info(caller, link);
    if (lookUp !== 200) await expectFailure(response, lookUp, lookUp === 401 ? ENDED : NO_LINK);
    expect(response.status).toBe(lookUp);
  },
);

it('keeps a key working when another member of its client is disabled', async () => {
  const [caller, colleague] = [await seedCaller(), await seedCaller()];
  await addMember(db, colleague.userName, caller.clientId);
  await disableUser(db, colleague.userName);
  expect((await create(caller, 'API key', { client_id: caller.clientId })).status).toBe(200);
});

it('info is the same for a wrong secret and for an unknown key', async () => {
  const caller = await seedCaller();
  const wrongSecret = caller.apiKey.slice(0, -1) + (caller.apiKey.endsWith('x') ? 'y' : 'x');
  const unknownKey = caller.apiKey.replace(/^tk_.{12}/, 'tk_000000000000');
  const before = await storedLinks();
  for (const apiKey of [wrongSecret, unknownKey]) {
    const response = await create({ ...caller, apiKey }, 'API key', { client_id: caller.clientId });
    expect(response.headers.get('WWW-Authenticate')).toBe('ApiKey realm="terse"');
    await expectFailure(response, 401, BAD_CREDENTIAL);
  }
  expect(await storedLinks()).toEqual(before);
});

it('takes each credential in its own place only', async () => {
  const caller = await seedCaller();
  const link = await seedLink(caller);
  const { client_id } = link;
  const swapped = { ...caller, apiKey: caller.accessToken, accessToken: caller.apiToken };
  const before = await storedLinks();
  expect((await create(swapped, 'API key', { client_id })).status).toBe(401);
  expect((await create(swapped, 'access token', { client_id })).status).toBe(401);
  expect((await info(swapped, link)).status).toBe(401);
  expect((await info({ ...caller, accessToken: caller.apiKey }, link)).status).toBe(401);
  expect(await storedLinks()).toEqual(before);
});

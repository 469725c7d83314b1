import { createHash } from 'node:crypto';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { seedCaller, type Caller } from './forms.ts';
import { form, openBrowser, type Browse } from './platform.ts';
import { call, ORIGIN, type Call } from './service.ts';

/** A client of OAuth, and a user who gives it access. */

export const MCP = `${ORIGIN}/mcp`;
export const API = `${ORIGIN}/v1`;
export const REDIRECT = 'https://assistant.example/callback';
export const VERIFIER = 'v'.repeat(43);
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
export const STATE = 'a state';

type Fields = Readonly<Record<string, string | undefined>>;

const given = (fields: Fields): [string, string][] =>
  Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);

export function register(metadata: object, init: RequestInit = {}, through: Call = call): Promise<Response> {
  return through('/oauth/register', {
    method: 'POST',
    body: JSON.stringify(metadata),
    ...init,
    headers: { 'Content-Type': 'application/json', ...Object.fromEntries(new Headers(init.headers)) },
  });
}

/** Registers an application, and returns its id. */
export async function registered(redirectUris: readonly string[] = [REDIRECT], name = 'Assistant'): Promise<string> {
  const response = await register({ client_name: name, redirect_uris: redirectUris });
  expect(response.status).toBe(201);
  return (await response.json<{ client_id: string }>()).client_id;
}

/** A valid request for a code, with changes; a parameter that is undefined is left out. */
export const queryOf = (application: string, changes: Fields = {}): string =>
  new URLSearchParams(
    given({
      response_type: 'code',
      client_id: application,
      redirect_uri: REDIRECT,
      scope: 'links:read links:write',
      state: STATE,
      code_challenge: challengeOf(VERIFIER),
      code_challenge_method: 'S256',
      resource: MCP,
      ...changes,
    }),
  ).toString();

/** Sends the form of the consent page. */
export function consent(
  browse: Browse,
  request: string,
  { clientId }: Pick<Caller, 'clientId'>,
  { scopes = ['links:read', 'links:write'], decision = 'allow' } = {},
): Promise<Response> {
  const init = form({ request, client_id: clientId, decision });
  const body = init.body as URLSearchParams;
  for (const scope of scopes) body.append('scopes', scope);
  return browse('/oauth/authorize', init);
}

interface Scene {
  readonly caller: Caller;
  readonly browse: Browse;
  readonly application: string;
}

export async function openScene(): Promise<Scene> {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  return { caller, browse, application: await registered() };
}

/** The code that a consent gives. */
export async function codeOf({ caller, browse, application }: Scene, changes: Fields = {}): Promise<string> {
  const response = await consent(browse, queryOf(application, changes), caller);
  expect(response.status).toBe(303);
  return new URL(response.headers.get('Location') ?? '').searchParams.get('code') ?? '';
}

export function askForTokens(fields: Fields, through: Call = call): Promise<Response> {
  return through('/oauth/token', { method: 'POST', body: new URLSearchParams(given(fields)) });
}

/** The request of the tokens for a code, with changes. */
export const exchange = (application: string, code: string, changes: Fields = {}): Promise<Response> =>
  askForTokens({
    grant_type: 'authorization_code',
    client_id: application,
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT,
    resource: MCP,
    ...changes,
  });

export const refresh = (application: string, token: string, changes: Fields = {}): Promise<Response> =>
  askForTokens({ grant_type: 'refresh_token', client_id: application, refresh_token: token, ...changes });

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Connects the application of a scene for a resource. */
export async function connect(scene: Scene, resource = MCP): Promise<Tokens> {
  const response = await exchange(scene.application, await codeOf(scene, { resource }), { resource });
  expect(response.status).toBe(200);
  return response.json();
}

export const bearer = ({ access_token }: Pick<Tokens, 'access_token'>) => ({ Authorization: `Bearer ${access_token}` });

/** The error of a response in the form of OAuth. */
export async function errorOf(response: Response): Promise<[status: number, error: string]> {
  return [response.status, (await response.json<{ error: string }>()).error];
}

/** The status of a request to the API with a token. */
export const statusAtApi = async (tokens: Tokens): Promise<number> =>
  (await call('/v1/links', { headers: bearer(tokens) })).status;

export const rowsWhere = async (sql: string, ...params: unknown[]): Promise<Record<string, unknown>[]> =>
  (
    await env.DB.prepare(sql)
      .bind(...params)
      .all()
  ).results;

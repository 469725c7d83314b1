import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import * as oauth from 'oauth4webapi';
import { beforeAll, expect, it } from 'vitest';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject, printedOnce } from '../scripts/support/project.ts';
import { startServer, type Server } from '../scripts/support/server.ts';
import { openConsent, type Consent } from './support/consent.ts';

/** Clients of OAuth that others wrote, from the discovery to a call, against the service. */

const folder = copyProject();
const REDIRECT = 'http://127.0.0.1:4711/callback';
let server: Server;
let user: Consent;

beforeAll(async () => {
  server = await startServer({ folder, persistTo: makeFolder() });
  user = await openConsent(server.origin, 'admin', printedOnce(server.output(), 'password'));
});

/** What a program keeps of its connection. */
function openProvider() {
  const kept: Record<string, unknown> = {};
  let [opened, verifier]: [URL | null, string] = [null, ''];
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'An assistant',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'the state',
    clientInformation: () => kept['client'] as never,
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'] as never,
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url) => void (opened = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    invalidateCredentials: (what) => {
      for (const name of what === 'all' ? ['client', 'tokens'] : [what]) delete kept[name];
    },
  };
  return { provider, kept, opened: () => opened };
}

it('the official client of MCP finds out how to get access, and calls a tool once a user has given it', async () => {
  const { provider, kept, opened } = openProvider();
  const open = () => new StreamableHTTPClientTransport(new URL('/mcp', server.origin), { authProvider: provider });
  const first = open();
  await expect(new Client({ name: 'tests', version: '1.0.0' }).connect(first)).rejects.toThrow(UnauthorizedError);

  const request = opened();
  expect(request?.searchParams.get('resource')).toBe(`${server.origin}/mcp`);
  const back = await user.allow(request!);
  expect(back.origin + back.pathname).toBe(REDIRECT);
  expect(back.searchParams.get('state')).toBe('the state');
  await first.finishAuth(back.searchParams);

  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(open());
  const made = await client.callTool({ name: 'create_link', arguments: { url: 'https://example.com/by-oauth' } });
  expect(made.isError).toBeUndefined();
  expect(made.structuredContent).toMatchObject({ url: 'https://example.com/by-oauth' });
  await client.close();

  // As after the end of the access token: the client refreshes it by itself.
  const before = kept['tokens'] as { access_token: string; refresh_token: string };
  kept['tokens'] = { ...before, access_token: 'expired' };
  const again = new Client({ name: 'tests', version: '1.0.0' });
  await again.connect(open());
  expect((await again.listTools()).tools).toHaveLength(9);
  expect((kept['tokens'] as typeof before).refresh_token).not.toBe(before.refresh_token);
  await again.close();
});

it('the official client of MCP registers again once the service has forgotten it', async () => {
  const { provider, kept, opened } = openProvider();
  kept['client'] = { client_id: 'forgotten' };
  kept['tokens'] = { access_token: 'expired', refresh_token: 'of-before', token_type: 'Bearer' };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.origin), { authProvider: provider });
  await expect(new Client({ name: 'tests', version: '1.0.0' }).connect(transport)).rejects.toThrow(UnauthorizedError);
  const { client_id: id } = kept['client'] as { client_id: string };
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(opened()?.searchParams.get('client_id')).toBe(id);
});

it('oauth4webapi registers, gets tokens for the API, refreshes and revokes them', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(server.origin);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  const resource = new URL('/v1', server.origin);
  const protectedBy = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  );
  expect(protectedBy.authorization_servers).toEqual([as.issuer]);
  const metadata = { client_name: 'A script', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, metadata, insecure),
  );

  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(as.authorization_endpoint!);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'links:read',
    state,
    resource: resource.href,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  // It checks the state and the issuer.
  const answer = oauth.validateAuthResponse(as, client, await user.allow(url), state);
  const additional = { additionalParameters: { resource: resource.href }, ...insecure };
  const granted = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    answer,
    REDIRECT,
    verifier,
    additional,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, granted);
  expect(tokens.scope).toBe('links:read');

  const list = (token: string) =>
    oauth.protectedResourceRequest(token, 'GET', new URL('/v1/links', server.origin), undefined, undefined, insecure);
  expect((await list(tokens.access_token)).status).toBe(200);
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure),
  );
  expect((await list(refreshed.access_token)).status).toBe(200);
  const revoked = await oauth.revocationRequest(as, client, oauth.None(), refreshed.refresh_token!, insecure);
  await oauth.processRevocationResponse(revoked);
  await expect(list(refreshed.access_token)).rejects.toThrow(/WWW-Authenticate|challenge/i);
});

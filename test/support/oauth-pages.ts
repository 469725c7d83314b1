import { env } from 'cloudflare:workers';
import * as example from '../../scripts/reference/examples.ts';
import { ok, posted, type Page } from './page.ts';

/** The pages about applications with what their requests send, and the rows that they show. */

const APPLICATION = 'an-application';
export const CONNECTION_ID = 'c0ffee00-0000-4000-8000-000000000001';
const REDIRECT = 'https://assistant.example/callback';

const request = new URLSearchParams({
  response_type: 'code',
  client_id: APPLICATION,
  redirect_uri: REDIRECT,
  scope: 'links:read',
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
}).toString();

export const OAUTH_PAGES: Readonly<Record<string, Page>> = {
  'GET /oauth/authorize': { status: 200, query: request },
  'POST /oauth/authorize': posted({ request, client_id: example.CLIENT_ID, scopes: 'links:read', decision: 'allow' }),
  'GET /platform/account/applications': ok,
  'GET /platform/account/applications/:id/end': ok,
  'POST /platform/account/applications/:id/end': posted(),
};

/** An application that is registered, and connected. */
export const oauthRows = () => [
  env.DB.prepare(
    `INSERT INTO oauth_applications (id, name, redirect_uris, created_at, consented_at) VALUES (?1, 'Assistant', ?2, 1, 1)`,
  ).bind(APPLICATION, JSON.stringify([REDIRECT])),
  env.DB.prepare(
    `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, begun_with, client_id, scopes)
     VALUES (?1, ?2, 1, ?3, 'oauth', ?4, ?5, 'links:read')`,
  ).bind(CONNECTION_ID, example.OWNER_ID, Date.now() + 1e8, APPLICATION, example.CLIENT_ID),
  env.DB.prepare(
    `INSERT INTO oauth_grants (family_id, application, name, host, resource, used_at)
     VALUES (?1, ?2, 'Assistant', 'assistant.example', ?3, 1)`,
  ).bind(CONNECTION_ID, APPLICATION, `${example.ORIGIN}/mcp`),
];

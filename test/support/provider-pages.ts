import { env } from 'cloudflare:workers';
import * as example from '../../scripts/reference/examples.ts';
import { ok, posted, type Page } from './page.ts';

/** The pages about the provider of a workspace with what their requests send, and the row that they show. */

const SETTINGS = '/platform/c/:client/settings/sign-in';
const AT = '/platform/sso/:client';
const OF_SERVICE = '/platform/sign-in/provider';

export const PROVIDER_PAGES: Readonly<Record<string, Page>> = {
  [`GET ${SETTINGS}`]: ok,
  [`POST ${SETTINGS}`]: posted({
    name: 'Acme',
    issuer: 'https://id.acme.example',
    client_id: 'terse',
    secret: 'a secret',
    scope: 'openid email',
    roles: 'groups=admins → owner',
  }),
  [`GET ${SETTINGS}/test`]: ok,
  // Nothing responds at the issuer.
  [`POST ${SETTINGS}/test`]: posted({}, { status: 503 }),
  [`POST ${SETTINGS}/on`]: posted(),
  [`GET ${SETTINGS}/off`]: ok,
  [`POST ${SETTINGS}/off`]: posted(),
  [`GET ${SETTINGS}/remove`]: ok,
  [`POST ${SETTINGS}/remove`]: posted(),
  [`POST ${SETTINGS}/domains`]: posted({ domain: 'acme.example' }),
  [`POST ${SETTINGS}/domains/verify`]: posted({ domain: 'acme.example' }),
  [`POST ${SETTINGS}/domains/remove`]: posted({ domain: 'acme.example' }),
  'GET /platform/sso': { status: 200, isSignedOut: true, asksNothing: true },
  'POST /platform/sso': posted({ email: 'eve@nowhere.example', next: '/platform' }, { status: 404, isSignedOut: true }),
  [`GET ${AT}`]: { status: 200, isSignedOut: true, asksNothing: true },
  [`POST ${AT}`]: posted({ next: '/platform' }, { status: 503, isSignedOut: true }),
  // Each of them needs the cookie of a browser that was sent to the provider.
  [`GET ${AT}/callback`]: { status: 400, isSignedOut: true },
  [`GET ${AT}/join`]: { status: 400, isSignedOut: true },
  [`POST ${AT}/join`]: posted({}, { status: 400, isSignedOut: true }),
  [`POST ${AT}/bind`]: posted({}, { status: 400 }),
  // The tests' own service has no provider.
  [`GET ${OF_SERVICE}`]: { status: 200, isSignedOut: true, asksNothing: true },
  [`POST ${OF_SERVICE}`]: posted({ next: '/platform' }, { status: 404, isSignedOut: true, asksNothing: true }),
  [`GET ${OF_SERVICE}/callback`]: { status: 400, isSignedOut: true, asksNothing: true },
  [`GET ${OF_SERVICE}/join`]: { status: 400, isSignedOut: true, asksNothing: true },
  [`POST ${OF_SERVICE}/join`]: posted({}, { status: 400, isSignedOut: true, asksNothing: true }),
  [`POST ${OF_SERVICE}/bind`]: posted({}, { status: 400 }),
};

/** A provider of the example workspace, on a host that does not exist. */
export const providerRows = () => [
  env.DB.prepare(
    `INSERT INTO providers (id, kind, client_id, issuer, application, name, created_at, updated_at, on_at)
     VALUES ('a-provider', 'openid', ?, 'https://10.0.0.1/issuer', 'terse', 'Acme', 1, 1, 1)`,
  ).bind(example.CLIENT_ID),
];

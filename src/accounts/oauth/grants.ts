import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { lazy } from '../../isolate/lazy.ts';
import { hashSecret, randomToken } from '../../secrets/random-secrets.ts';
import type { TokenClaims } from '../../tokens/claims.ts';
import type { KeyRing } from '../../tokens/keys.ts';
import { signOAuthToken } from '../../tokens/oauth-token.ts';
import { keyScopes } from '../keys/keys.ts';
import { authorize, selectAccess, type AccessRow } from '../access.ts';
import type { Session } from '../sessions/session.ts';
import type { KeyScope } from '../scopes.ts';
import { rotateRefreshToken, type FamilyRow } from '../tokens/refresh-token-store.ts';
import { LOST_RESPONSE_MS } from '../tokens/refresh-tokens.ts';
import { isDocumentUrl } from './application.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import * as codes from './code-store.ts';
import * as store from './grant-store.ts';
import { OAuthError, unknownApplication, unknownResource } from './oauth-error.ts';
import { findRegistered } from './registration.ts';
import { resourceOf } from './resources.ts';
import { DAY_MS } from '../../time/day.ts';

/** The time for which a code can be exchanged. */
const CODE_MS = 60 * 1000;
/** A grant ends this long after its last refresh. */
const UNUSED_MS = 30 * DAY_MS;
const VERIFIER = /^[\w.~-]{43,128}$/;

/** The fields that a user chooses at the consent. */
export const consentFields = lazy(() => z.strictObject({ client_id: z.string(), scopes: keyScopes() }));

/** The input of issuing besides the database. */
export interface OAuthIssuer {
  /** The `iss` of the service's tokens. */
  readonly name: string;
  /** That of the service, for programs. */
  readonly origin: string;
  readonly ring: KeyRing;
  readonly lifetimeSeconds: number;
}

/** The tokens of one exchange or one refresh. */
export interface OAuthTokens {
  readonly accessToken: string;
  /** Opaque; only its hash is stored. */
  readonly refreshToken: string;
  readonly lifetimeSeconds: number;
  /** The granted scopes, separated by spaces. */
  readonly scope: string;
}

/**
 * Grants a request of an application, for one workspace of the user and some of the scopes, and returns the code. Throws
 * what `authorize` throws, and `store_unavailable`.
 */
export async function grantCode(
  db: Database,
  { credential }: Session,
  { application, host, redirectUri, resource, challenge }: AuthorizationRequest,
  { clientId, scopes }: { readonly clientId: string; readonly scopes: readonly KeyScope[] },
): Promise<string> {
  const now = Date.now();
  const code = randomToken(32);
  const actor = { credential, clientId };
  const [access] = await db.batch<[AccessRow, ...never[]]>([
    selectAccess(actor, scopes[0] ?? 'links:read', now),
    ...codes.insertCode(credential, now, {
      hash: hashSecret(code),
      clientId,
      scopes,
      application: application.id,
      name: application.name ?? '',
      host,
      redirectUri,
      resource,
      challenge,
      expiresAt: now + CODE_MS,
    }),
  ]);
  authorize(access, actor);
  return code;
}

/** The fields that a program sends with a code (RFC 6749, section 4.1.3; RFC 7636; RFC 8707). */
interface CodeExchange {
  readonly code: string;
  readonly application: string;
  readonly verifier: string;
  /** Null if it is left out. */
  readonly redirectUri: string | null;
  readonly resource: string | null;
}

/**
 * Exchanges a code for tokens, once. A second use of a code ends what the first one gave. Throws `OAuthError`,
 * `store_unavailable`.
 */
export async function exchangeCode(db: Database, issuer: OAuthIssuer, sent: CodeExchange): Promise<OAuthTokens> {
  if (!VERIFIER.test(sent.verifier)) throw new OAuthError('invalid_request', 'code_verifier must be that of PKCE.');
  const now = Date.now();
  const refreshToken = randomToken(32);
  const statements = codes.exchangeCode({
    hash: hashSecret(sent.code),
    application: sent.application,
    challenge: hashSecret(sent.verifier),
    redirectUri: sent.redirectUri,
    resource: readResource(sent.resource, issuer),
    familyId: crypto.randomUUID(),
    refreshHash: hashSecret(refreshToken),
    now,
    endsAt: now + UNUSED_MS,
  });
  const [, , , , , [grant]] = await db.batch<[never, never, never, never, never, codes.GrantRow]>(statements);
  if (!grant) throw await refusalOf(db, sent.application, 'The code is not valid, or no longer valid.');
  return issue(issuer, grant, refreshToken, now);
}

/** The fields that a program sends with a refresh token. */
interface Refresh {
  readonly refreshToken: string;
  readonly application: string;
  /** Null if it is left out. */
  readonly resource: string | null;
}

/**
 * Exchanges a refresh token for new tokens of the same grant, as `refreshFamily` does, for the application that it was
 * given to. Throws `OAuthError`, `store_unavailable`.
 */
export async function refreshGrant(db: Database, issuer: OAuthIssuer, sent: Refresh): Promise<OAuthTokens> {
  const now = Date.now();
  const hash = hashSecret(sent.refreshToken);
  const [[grant]] = await db.batch<[codes.GrantRow]>([store.selectGrantOfRefresh(hash, sent.application)]);
  // Tokens for a former origin of the service would be accepted nowhere.
  if (!grant || resourceOf(grant.resource, issuer.origin) === null) throw await invalidRefresh(db, sent);
  if ((readResource(sent.resource, issuer) ?? grant.resource) !== grant.resource)
    throw new OAuthError('invalid_target', 'The grant is for another resource.');
  const refreshToken = randomToken(32);
  const family = await rotateRefreshToken(db, {
    presentedHash: hash,
    successorHash: hashSecret(refreshToken),
    now,
    lostResponseSince: now - LOST_RESPONSE_MS,
    application: sent.application,
    endsAt: now + UNUSED_MS,
  });
  if (!family) throw await invalidRefresh(db, sent);
  return issue(issuer, { ...grant, ...family }, refreshToken, now);
}

/**
 * Ends the grant of a refresh token or of a verified access token, if it is one of the application; an unknown token is no
 * error (RFC 7009, section 2.2). Throws `store_unavailable`.
 */
export async function revokeGrant(
  db: Database,
  application: string,
  token: { readonly refreshToken: string } | TokenClaims,
): Promise<void> {
  const named =
    'refreshToken' in token
      ? { refreshHash: hashSecret(token.refreshToken), familyId: null }
      : { refreshHash: null, familyId: token.familyId };
  await db.batch(store.endGrant(application, named, Date.now()));
}

const invalidRefresh = (db: Database, { application }: Refresh) =>
  refusalOf(db, application, 'The refresh token is not valid, or no longer valid.');

/**
 * The refusal of a code or a refresh token. An application that is not registered, or no longer, gets an error of its
 * own (RFC 6749, section 5.2): only then does it register again.
 */
async function refusalOf(db: Database, application: string, sentence: string): Promise<OAuthError> {
  const isKnown = isDocumentUrl(application) || (await findRegistered(db, application)) !== null;
  return isKnown ? new OAuthError('invalid_grant', sentence) : unknownApplication();
}

/** The resource that a request names, in the form of tokens; null if it names none. */
function readResource(given: string | null, { origin }: OAuthIssuer): string | null {
  if (given === null) return null;
  const resource = resourceOf(given, origin);
  if (resource === null) throw unknownResource();
  return resource;
}

async function issue(
  { name, ring, lifetimeSeconds }: OAuthIssuer,
  grant: codes.GrantRow & FamilyRow,
  refreshToken: string,
  nowMs: number,
): Promise<OAuthTokens> {
  const issuedAtSeconds = Math.floor(nowMs / 1000);
  const expiresAtSeconds = Math.min(issuedAtSeconds + lifetimeSeconds, Math.floor(grant.ends_at / 1000));
  const accessToken = await signOAuthToken(ring, name, {
    userId: grant.user_id,
    familyId: grant.id,
    issuedAtSeconds,
    expiresAtSeconds,
    resource: grant.resource,
    application: grant.application,
    scope: grant.scopes,
  });
  return { accessToken, refreshToken, lifetimeSeconds: expiresAtSeconds - issuedAtSeconds, scope: grant.scopes };
}

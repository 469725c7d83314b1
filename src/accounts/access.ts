import type { Database, Param, Statement } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { GRANTS, grantParams, CLOSED_BY, type Credential } from './grants.ts';
import { factorRequired, invalidCredential, providerRequired, stepUpRequired } from './refusals.ts';
import { isKeyScope, type Permission } from './scopes.ts';

/** A caller of the management API: the credential, and the client that the request names, if it names one. */
export interface Actor {
  readonly credential: Credential;
  /** `client_id` of the query, or null. */
  readonly clientId: string | null;
}

/**
 * The head of every statement of the management API. Beside `grants`, it defines the common table expression `acting`:
 * the clients for which the actor has the permission of `actingParams`, or of them only the client that the request
 * names. It takes the parameters ?1 to ?7; the statement's own begin at ?8.
 */
export const ACTING = `${GRANTS},
  acting (user_id, client_id, role) AS (
    SELECT user_id, client_id, role FROM grants
    WHERE client_id = coalesce(?6, client_id) AND instr(permissions, ' ' || ?7 || ' ') > 0
  )`;

/**
 * The one client that the actor acts for, in a statement under `ACTING`. It is NULL if several clients are selected,
 * even if the actor has the permission for only one of them: `authorize` refuses that request, and nothing may have
 * been written by then.
 */
export const SOLE_CLIENT = `(
    SELECT max(client_id) FROM acting
    WHERE (SELECT count(*) FROM grants WHERE client_id = coalesce(?6, client_id)) = 1
  )`;

/** The parameters ?1 to ?7 of `ACTING`; `nowMs` is milliseconds since the epoch. */
export function actingParams(actor: Actor, permission: Permission, nowMs: number): Param[] {
  return [...grantParams(actor.credential, nowMs), actor.clientId, permission];
}

/** The one row of `selectAccess`. */
export interface AccessRow {
  readonly credential_ok: number;
  /** The number of clients to which the credential belongs. */
  readonly clients: number;
  /** The number of those clients that the request selects. */
  readonly selected: number;
  /** For how many of those the actor has the permission. */
  readonly acting: number;
  /** The demand of the client for which none is selected: its own provider, or a second factor that the user lacks. */
  readonly closed_by: 'provider' | 'factor' | null;
  readonly role: string | null;
  /** The permission that the request needs. */
  readonly permission: Permission;
}

/** Selects the permissions of an actor. It goes first into the batch that does the work, and `authorize` reads its row. */
export function selectAccess(actor: Actor, permission: Permission, nowMs: number): Statement {
  return accessStatement(actingParams(actor, permission, nowMs));
}

/** `selectAccess` with the parameters of `ACTING`, for a batch whose other statements take them too. */
export function accessStatement(params: readonly Param[]): Statement {
  return {
    // What is selected is read once.
    sql: `${ACTING}, access AS MATERIALIZED (
        SELECT EXISTS (SELECT 1 FROM grants) AS credential_ok, (SELECT count(client_id) FROM grants) AS clients,
          (SELECT count(*) FROM grants WHERE client_id = coalesce(?6, client_id)) AS selected,
          (SELECT count(*) FROM acting) AS acting,
          (SELECT max(role) FROM grants WHERE client_id = coalesce(?6, client_id)) AS role, ?7 AS permission)
      SELECT access.*, CASE WHEN selected = 0 THEN ${CLOSED_BY} END AS closed_by FROM access`,
    params,
  };
}

/**
 * Refuses an actor without the permission. Throws `invalid_credential`, `provider_required`, `factor_required`,
 * `wrong_client`, `missing_field`, `insufficient_scope`, `step_up_required`, `not_owner`.
 *
 * @param several whether the request may select several clients, since the requested thing belongs to only one of them
 */
export function authorize([row]: readonly AccessRow[], actor: Actor, { several = false } = {}): void {
  if (!row?.credential_ok) {
    throw invalidCredential();
  }
  if (row.closed_by === 'provider') throw providerRequired();
  if (row.closed_by === 'factor') throw factorRequired();
  if (row.selected === 0) {
    throw new AppError(
      'wrong_client',
      'The credential does not belong to this client. Send the client_id that it belongs to.',
    );
  }
  if (!several && row.selected > 1) {
    throw new AppError(
      'missing_field',
      'client_id is required, since the user belongs to several clients: send one in the query.',
    );
  }
  if (row.acting > 0) return;
  // The token is the person's, but began with an application password, or without the second factor.
  if (row.role === 'key' && actor.credential.kind === 'token' && actor.credential.use === 'access')
    throw stepUpRequired();
  if (row.role === 'key') throw new AppError('insufficient_scope', scopeAdvice(actor, row.permission));
  throw new AppError('not_owner', 'Only an owner can do this. Ask an owner.');
}

/**
 * Authorises an actor before expensive work, in a round trip of its own. The work itself authorises again. Throws
 * `store_unavailable`, and what `authorize` throws.
 */
export async function authorizeFirst(
  db: Database,
  actor: Actor,
  permission: Permission,
  options?: { readonly several?: boolean },
): Promise<void> {
  const [access] = await db.batch<[AccessRow]>([selectAccess(actor, permission, Date.now())]);
  authorize(access, actor, options);
}

/**
 * Checks that a credential may create links for some client. One round trip. Throws `invalid_credential`,
 * `insufficient_scope`.
 */
export async function authorizeCreator(db: Database, credential: Credential): Promise<void> {
  await authorizeFirst(db, { credential, clientId: null }, 'links:write', { several: true });
}

/** The sentence that refuses an API key where a person must sign in. */
export const A_PERSON_MUST_SIGN_IN =
  'API keys cannot do this: a person must sign in. Use the access_token of GET /tokens/create_token, or the platform.';

function scopeAdvice({ credential }: Actor, permission: Permission): string {
  if (credential.kind === 'token' && credential.use === 'oauth')
    return isKeyScope(permission)
      ? `This application was not granted the scope ${permission}. Connect it again, with this permission.`
      : A_PERSON_MUST_SIGN_IN;
  if (credential.kind !== 'api_key') return 'An api_token cannot do this. Use the access token of the same sign-in.';
  return isKeyScope(permission)
    ? `This API key does not have the scope ${permission}. Use another key, or an access token.`
    : A_PERSON_MUST_SIGN_IN;
}

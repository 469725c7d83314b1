import type { Context } from 'hono';
import * as z from 'zod';
import type { Actor } from '../accounts/access.ts';
import type { Credential } from '../accounts/grants.ts';
import { identifier } from '../accounts/users/names.ts';
import { parseFields } from '../input/validation.ts';
import { lazy } from '../isolate/lazy.ts';
import { readAnyCredential, readPersonalCredential } from './authenticate.ts';
import type { HttpEnv } from './env.ts';
import { readQuery } from './query.ts';
import { limitRate } from './rate-limits.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * The query parameter by which a user of several clients names one of them; part of every query of the management API.
 */
export const clientField = lazy(() => ({
  client_id: identifier()
    .optional()
    .meta({ description: 'The client; required if the user belongs to several; neither `.` nor `..`' }),
}));

/** The whole query of an endpoint that takes no other parameter. */
export const actorQuery = lazy(() => z.strictObject(clientField()));

/** Reads the query of an endpoint that takes no other parameter. Throws what `readQuery` and `parseFields` throw. */
export function readActorQuery(c: Context<HttpEnv>): ActorQuery {
  // Most requests have none.
  return c.var.site.requestUrl.search === '' ? {} : parseFields(actorQuery(), readQuery(c));
}

interface ActorQuery {
  readonly client_id?: string | undefined;
}

type ReadyActor = (query: ActorQuery) => Promise<Actor>;

/**
 * Reads the caller's credential, and returns the step that verifies it and makes the actor, so that faults of the
 * request can be reported first. The step limits the rate of writes. Throws `missing_credential`; the step throws
 * `invalid_credential` and `too_many_requests`.
 */
export function readActor(c: Context<HttpEnv>, verify = readAnyCredential(c)): ReadyActor {
  return async ({ client_id: clientId }) => {
    const credential = await verify();
    if (!READS.has(c.req.method)) await limitRate(c, 'write', credential);
    return actorOf(credential, clientId);
  };
}

/** Like `readActor`, for a `POST` that changes nothing: it has no more limits than other reads. */
export function readReader(c: Context<HttpEnv>): ReadyActor {
  const verify = readAnyCredential(c);
  return async ({ client_id: clientId }) => actorOf(await verify(), clientId);
}

/** The actor of a credential, for the client that a request names. */
export const actorOf = (credential: Credential, clientId: string | undefined): Actor => ({
  credential,
  clientId: clientId ?? null,
});

/**
 * Like `readActor`, for endpoints that need a person: without a credential, the answer asks for an access token only.
 */
export function readPerson(c: Context<HttpEnv>): ReadyActor {
  return readActor(c, readPersonalCredential(c));
}

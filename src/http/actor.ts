import type { Context } from 'hono';
import * as z from 'zod';
import type { Actor } from '../accounts/access.ts';
import { identifier } from '../accounts/names.ts';
import { readAnyCredential } from './authenticate.ts';
import type { HttpEnv } from './env.ts';

/** The query parameter by which a user of several clients names one; part of every query of the management API. */
export const clientField = {
  client_id: identifier.optional().meta({ description: 'Which client, for a user of several' }),
};

/** The whole query of an endpoint that takes no other parameter. */
export const actorQuery = z.strictObject(clientField);

/**
 * Reads whichever credential a caller shows, and gives the step that makes an actor of it: a caller's own faults are
 * told before. Throws `missing_credential`; the step throws `invalid_credential`.
 */
export function readActor(c: Context<HttpEnv>): (query: { readonly client_id?: string | undefined }) => Promise<Actor> {
  const judge = readAnyCredential(c);
  return async ({ client_id: clientId }) => ({ credential: await judge(), clientId: clientId ?? null });
}

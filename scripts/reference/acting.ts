import type { ErrorCode } from '../../src/errors.ts';
import { actorQuery } from '../../src/http/actor.ts';
import { listQuery } from '../../src/http/queries.ts';

/** The parts that the endpoints of the management API share. */

/** The credential is valid for another client, lacks the scope, or its user a second factor that the client demands. */
export const ACTING: readonly ErrorCode[] = [
  'wrong_client',
  'factor_required',
  'provider_required',
  'insufficient_scope',
];

/** As above; a user of several clients must name one. */
export const SOLE_CLIENT: readonly ErrorCode[] = [...ACTING, 'missing_field'];

/** As `SOLE_CLIENT`, and for people only: a program that has signed in with an application password is refused. */
export const PERSON: readonly ErrorCode[] = [...SOLE_CLIENT, 'step_up_required'];

/** As above, and for owners only. */
export const OWNER: readonly ErrorCode[] = [...PERSON, 'not_owner'];

export const PAGE: readonly ErrorCode[] = ['invalid_limit', 'invalid_cursor'];

export const ACTOR_QUERY = { schema: actorQuery() };
export const LIST_QUERY = { schema: listQuery(), example: { limit: 20 } };

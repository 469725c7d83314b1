import * as z from 'zod';
import { authorize, selectAccess, type AccessRow, type Actor } from '../accounts/access.ts';
import { toGivenName, type GivenName } from '../accounts/members/given-name.ts';
import { requireConfirmation } from '../accounts/sessions/confirmation.ts';
import type { Session } from '../accounts/sessions/session.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { fault } from '../input/validation.ts';
import { lazy } from '../isolate/lazy.ts';
import { changeClient } from './change-client.ts';
import * as store from './required-provider-store.ts';

/** The demand of a client's owners that it is opened by a provider alone, and what that stops. */

/** A user by id and name, and the name that a provider gives to one who has none of their own. */
interface Named {
  readonly userId: string;
  readonly name: string;
  readonly given: GivenName | null;
}

/** The demand as it is, and what it can be. */
export interface ProviderDemand {
  /** The name of the provider that is demanded, and since when; null if none is. */
  readonly required: {
    readonly provider: string;
    readonly since: number;
    readonly emergencyOwner: Named | null;
  } | null;
  /** The name of the session's provider, if it can be demanded. */
  readonly offered: string | null;
  /** True if the client has a provider of its own that is on. */
  readonly hasProvider: boolean;
  /** After how many days without a confirmation by that provider a member is suspended; null for never. */
  readonly unconfirmedDays: number | null;
  /** The owners with a password and a second factor. */
  readonly candidates: readonly Named[];
}

/** A member for whom something stops, and how much of what. */
export interface StoppedMember extends Named {
  /** True if the member can sign in by the provider. */
  readonly hasIdentity: boolean;
  readonly passwords: number;
  readonly applications: number;
  /** Sign-ins of programs with the member's own password. */
  readonly programs: number;
}

/** Throws what `authorize` throws. */
export async function getProviderDemand(db: Database, actor: Actor): Promise<ProviderDemand> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, store.DemandRow]>([
    selectAccess(actor, 'members', now),
    store.selectDemand(actor, now),
  ]);
  authorize(access, actor);
  return toDemand(row);
}

/** The members for whom something stops once the session's provider is demanded. Throws what `authorize` throws. */
export async function listStopped(db: Database, actor: Actor): Promise<readonly StoppedMember[]> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, store.StoppedRow]>([
    selectAccess(actor, 'members', now),
    store.selectStopped(actor, now),
  ]);
  authorize(access, actor);
  return rows.map(({ local_id: userId, has_identity: known, given, ...row }) => ({
    ...row,
    userId,
    given: toGivenName(given),
    hasIdentity: known === 1,
  }));
}

export const demandFields = lazy(() =>
  z.strictObject({
    emergency_owner: z
      .string()
      .refine((id) => id.length <= 100, { error: 'must be an owner', ...fault('malformed_body') })
      .default(''),
  }),
);

/**
 * Demands that the client is opened only by sign-ins of the session's provider, and by one owner for emergencies, who has a
 * password and a second factor. Throws `edit_conflict`, `step_up_required`, and what `authorize` throws.
 */
export async function demandProvider(db: Database, actor: Actor, session: Session, emergencyId: string): Promise<void> {
  requireConfirmation(session);
  const now = Date.now();
  const [access, [row], , changed] = await db.batch<[AccessRow, store.DemandRow, never, unknown]>([
    selectAccess(actor, 'members', now),
    store.selectDemand(actor, now),
    ...store.demandProvider(actor, now, emergencyId),
  ]);
  authorize(access, actor);
  if (changed.length > 0) return;
  if (toDemand(row).offered === null) {
    throw new AppError('edit_conflict', 'Sign in by the provider first, so that you know that it lets you in.');
  }
  throw new AppError('edit_conflict', 'Choose an owner who has a password and two-step sign-in.');
}

/** Lets all ways of signing in open the client again. Throws `step_up_required`, and what `changeClient` throws. */
export async function endProviderDemand(db: Database, actor: Actor, session: Session): Promise<void> {
  requireConfirmation(session);
  await changeClient(db, actor, {
    action: 'client.provider_not_required',
    value: null,
    isChanged: '?8 IS NULL AND c.required_provider IS NOT NULL',
    set: 'required_provider = NULL, break_glass_id = NULL, required_since = NULL',
    name: 'c.name',
    details: 'NULL',
  });
}

function toDemand(row: store.DemandRow | undefined): ProviderDemand {
  if (!row) throw new TypeError('an owner acts for a client that does not exist');
  const { required, required_since: since, emergency_owner: owner } = row;
  return {
    required:
      required === null
        ? null
        : {
            provider: required,
            since: since ?? 0,
            emergencyOwner: owner === null ? null : JSON.parse(owner),
          },
    offered: row.offered,
    hasProvider: row.has_provider === 1,
    unconfirmedDays: row.unconfirmed_days,
    candidates: JSON.parse(row.candidates),
  };
}

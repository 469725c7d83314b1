import { lazy } from '../../isolate/lazy.ts';
import { KEYS_OF_REMOVED, ROLES, type KeysOfRemoved, type Role } from '../roles.ts';
import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import type { Page } from '../../input/pagination.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from '../access.ts';
import { listPage } from '../list-page.ts';
import { recordAudited } from '../audit/audit-events.ts';
import * as store from './member-store.ts';

/** A user as a member of a client. */
export interface Member {
  readonly userId: string;
  /** The user name. */
  readonly name: string;
  /** The name on pages: that which a provider gives, if the user has no name of their own. */
  readonly shownName: string;
  readonly role: Role;
  /** Milliseconds since the epoch. */
  readonly joinedAt: number;
  /** Since when the account is disabled, or null. */
  readonly disabledAt: number | null;
  /** Since when the membership is suspended, as a provider has not confirmed the user; or null. */
  readonly suspendedAt: number | null;
  /** True if the user can sign in with a password. */
  readonly hasPassword: boolean;
  /** True if a provider gives the role at each sign-in. */
  readonly isRoleGiven: boolean;
  /** The providers of the user, the one that confirmed them last first. */
  readonly providers: readonly { readonly name: string; readonly confirmedAt: number }[];
}

export const roleField = lazy(() =>
  z.enum(ROLES, { error: `must be ${ROLES.join(' or ')}` }).meta({
    description: 'Owners also manage members, domains and all keys',
  }),
);

export const memberChangeFields = lazy(() => z.strictObject({ role: roleField() }));

export const removalFields = lazy(() => ({
  keys: z
    .enum(KEYS_OF_REMOVED, {
      error: "must be revoke, which revokes the member's keys, or adopt, which transfers them to you",
    })
    .meta({
      description:
        "Whether the member's keys are revoked or transferred to you. The member still knows the secrets of transferred keys: their `adopted_at` marks them, until each is rolled",
    }),
}));

/**
 * Lists the members of a client, those who joined last first. Throws what `authorize` throws.
 *
 * @param name a part of the names, of at most 200 characters; '' for all members
 */
export async function listMembers(
  db: Database,
  actor: Actor,
  page: Page,
  name = '',
): Promise<{ members: readonly Member[]; cursor: string | null }> {
  const { items: members, cursor } = await listPage(db, actor, page, {
    permission: 'members',
    select: (now) => store.selectMembers(actor, now, page, name),
    positionOf: (row: store.MemberRow) => [row.created_at, row.local_id],
    toItem: toMember,
  });
  return { members, cursor };
}

/** A member, with what an owner needs to know before changing their membership. */
export interface MemberDetails extends Member {
  /** The number of their working keys. */
  readonly keys: number;
  /** True if the client has no other owner who can sign in. */
  readonly isLastOwner: boolean;
  /** True if they open the client also when the provider that it demands fails. */
  readonly isEmergencyOwner: boolean;
  /** True if an owner can lift the suspension. */
  readonly canLift: boolean;
}

/** Throws `not_found`, and what `authorize` throws. */
export async function getMember(db: Database, actor: Actor, userId: string): Promise<MemberDetails> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, store.MemberDetailsRow]>([
    selectAccess(actor, 'members', now),
    store.selectMemberDetails(actor, now, userId),
  ]);
  authorize(access, actor);
  const { keys = 0, is_last_owner: last, is_emergency_owner: emergency, can_lift: lift } = row ?? {};
  const member = found(row ? [row] : []);
  return { ...member, keys, isLastOwner: last === 1, isEmergencyOwner: emergency === 1, canLift: lift === 1 };
}

/** Changes a member's role. Throws `not_found`, `last_owner`, `edit_conflict`, and what `authorize` throws. */
export async function changeRole(db: Database, actor: Actor, userId: string, role: Role): Promise<Member> {
  const now = Date.now();
  const selectMember = store.selectMemberDetails(actor, now, userId);
  // The member is read first: an actor who gives up the role of an owner may not read members afterwards.
  const [access, [row], , changed] = await db.batch<[AccessRow, store.MemberDetailsRow, never, unknown]>([
    selectAccess(actor, 'members', now),
    selectMember,
    ...store.updateRole(actor, now, userId, role),
  ]);
  authorize(access, actor);
  const member = found(row ? [row] : []);
  if (member.role !== role && changed.length === 0) throw unchanged(member, row);
  return { ...member, role };
}

/**
 * Removes a member, or the actor themselves; the member's keys end or become the actor's, and are marked then, since the
 * member knows their secrets. Their sign-ins stay valid for their other clients. Returns how many working keys the actor
 * has adopted. Throws `not_found`, `last_owner`, `edit_conflict`, `invalid_keys`, and what `authorize` throws.
 */
export async function removeMember(db: Database, actor: Actor, userId: string, keys: KeysOfRemoved): Promise<number> {
  const now = Date.now();
  const [access, [row], , , theirs, , , removed, lifted] = await db.batch<
    [AccessRow, store.MemberDetailsRow, never, never, { is_working: number }, never, never, unknown, unknown, never]
  >([
    selectAccess(actor, 'members', now),
    store.selectMemberDetails(actor, now, userId),
    ...store.deleteMember(actor, now, userId, keys),
    recordAudited(now, 'SELECT client_id FROM api_keys WHERE user_id = ?2', [userId]),
  ]);
  authorize(access, actor);
  found(row ? [row] : []);
  if (removed.length + lifted.length > 0) return theirs.filter((key) => key.is_working === 1).length;
  if (keys === 'adopt' && actor.credential.kind === 'token' && actor.credential.userId === userId) {
    throw new AppError(
      'invalid_keys',
      'keys must be revoke when you remove yourself. To keep the keys, ask another owner to remove you.',
    );
  }
  throw row?.is_emergency_owner === 1 ? emergencyOwner() : lastOwner();
}

/**
 * Restores a member whom a provider has suspended that was removed since. Throws `not_found`, `edit_conflict`, and what
 * `authorize` throws.
 */
export async function liftSuspension(db: Database, actor: Actor, userId: string): Promise<void> {
  const now = Date.now();
  const [access, [row], , restored] = await db.batch<[AccessRow, store.MemberDetailsRow, never, unknown, never]>([
    selectAccess(actor, 'members', now),
    store.selectMemberDetails(actor, now, userId),
    ...store.liftSuspension(actor, now, userId),
  ]);
  authorize(access, actor);
  const { suspendedAt } = found(row ? [row] : []);
  if (suspendedAt !== null && restored.length === 0) {
    throw new AppError('edit_conflict', 'Only a sign-in with the provider ends this suspension.');
  }
}

function unchanged({ suspendedAt, isRoleGiven }: Member, row: store.MemberDetailsRow | undefined): AppError {
  if (suspendedAt !== null)
    return new AppError('edit_conflict', 'The role cannot be changed while the member is suspended.');
  if (isRoleGiven)
    return new AppError('edit_conflict', 'The provider gives this role at each sign-in. Change it there.');
  return row?.is_emergency_owner === 1 ? emergencyOwner() : lastOwner();
}

function emergencyOwner(): AppError {
  return new AppError('edit_conflict', 'This is the emergency owner of the workspace. Choose another one first.');
}

function found([row]: readonly store.MemberRow[]): Member {
  if (!row) throw new AppError('not_found', 'There is no member with this local_id.');
  return toMember(row);
}

function lastOwner(): AppError {
  return new AppError('last_owner', 'At least one owner must remain. Give another member the owner role first.');
}

function toMember(row: store.MemberRow): Member {
  return {
    userId: row.local_id,
    name: row.name,
    shownName: row.shown_name,
    role: row.role,
    joinedAt: row.created_at,
    disabledAt: row.disabled_at,
    suspendedAt: row.suspended_at,
    hasPassword: row.has_password === 1,
    isRoleGiven: row.is_role_given === 1,
    providers: JSON.parse(row.providers),
  };
}

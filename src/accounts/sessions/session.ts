import { firstShownDay, type EncodeCaller } from '../tokens/encode-callers.ts';
import type { Device } from './device.ts';
import { IDLE_MS, PROVIDER_SESSION_MS, SESSION_SECONDS } from './lifetime.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { hashSecret, randomToken } from '../../secrets/random-secrets.ts';
import { MAX_OF_ADDRESS } from '../factors/code-store.ts';
import type { TokenCredential } from '../grants.ts';
import { toGivenName, type GivenName } from '../members/given-name.ts';
import type { Role } from '../roles.ts';
import * as active from './active-session-store.ts';
import { selectSession, type SessionRow } from './find-session-sql.ts';
import * as store from './session-store.ts';
import type { SignedInUser } from './sign-in.ts';

/** One of the clients that a user belongs to. */
export interface OwnClient {
  readonly id: string;
  /** The name for people: its own, or else its id. */
  readonly name: string;
  readonly role: Role;
  /** True if the overview still shows the first steps. */
  readonly hasFirstSteps: boolean;
  /** True if links are still being restored after the undo of its deletion. */
  readonly isRestoring: boolean;
  /** From when members without a second factor cannot open it, in milliseconds since the epoch, or null. */
  readonly factorsFrom: number | null;
  /** True if the user has a second factor, or the session began by the client's own provider. */
  readonly meetsFactors: boolean;
  /** Until when a provider has to confirm the user again, in milliseconds since the epoch, if that is soon; or null. */
  readonly confirmUntil: { readonly at: number; readonly provider: string } | null;
}

/** A client of the user that the session does not open. */
export interface ClosedClient extends Pick<OwnClient, 'id' | 'name'> {
  /** `provider` if only another provider opens it, `suspended` if its provider has not confirmed the user. */
  readonly why: 'provider' | 'suspended';
  /** The name of the provider that opens it, or null. */
  readonly provider: string | null;
}

/** A client that its last owner has deleted. */
export interface DeletedClient extends Pick<OwnClient, 'id' | 'name' | 'role'> {
  /** Until when that can be undone, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** A browser's session on the platform, and its user. */
export interface Session {
  readonly credential: TokenCredential;
  readonly userId: string;
  readonly userName: string;
  /** The name of the user for people: their own, or else that which a provider gives. */
  readonly shownName: string;
  /** The name that a provider gives to a user without one of their own, or null. */
  readonly given: GivenName | null;
  /** The client that it opens alone, and nothing of the account; null if it opens all of the account. */
  readonly limitedTo: string | null;
  /** An IANA zone. */
  readonly timeZone: string;
  /** The language that the user has chosen for the pages, by its tag; null for that of the browser. */
  readonly language: string | null;
  /** When the user last confirmed who they are, in milliseconds since the epoch. */
  readonly confirmedAt: number;
  /** True if a sign-in needs a second factor. */
  readonly hasFactor: boolean;
  /** The wrong codes of the last day, if they are so many that each page says so; else 0. */
  readonly manyWrongCodes: number;
  /** The user's clients, the oldest membership first. */
  readonly clients: readonly OwnClient[];
  /** The clients that the session does not open. */
  readonly closedClients: readonly ClosedClient[];
  /** The provider by which the session began, or null. */
  readonly provider: { readonly id: string; readonly name: string; readonly kind: 'openid' | 'access' } | null;
  /** Clients of the user that are deleted, which can be undone. */
  readonly deletedClients: readonly DeletedClient[];
  /** The programs that still call `/shortener/encode`, as far as the user may see them. */
  readonly encodeCallers: readonly EncodeCaller[];
}

/** A session in its user's list. `id` names it, and is no credential. */
export interface ActiveSession extends Device {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly beganBy: store.BeganBy;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch, up to five minutes late. */
  readonly seenAt: number;
}

const SEEN_MS = 5 * 60 * 1000;
const VALUE = /^[\w-]{43}$/;

/**
 * Begins a session for a user whose password was just verified, and returns the value of its cookie: 256 random bits,
 * whose hash alone is stored. The time zone becomes that of an account that has none, and no other session or token.
 * No session begins if the password was changed or the account disabled in between.
 * Throws `invalid_credential`, `store_unavailable`.
 */
export async function startSession(
  db: Database,
  user: SignedInUser,
  device: Device,
  timeZone: string | null = null,
): Promise<string> {
  const { value, session } = newSession(user, device);
  const [inserted] = await db.batch<[unknown, ...never[]]>([
    ...store.insertSession(session),
    ...(timeZone === null ? [] : [store.setFirstTimeZone(session, timeZone)]),
  ]);
  if (inserted.length === 0) {
    throw new AppError('invalid_credential', 'The account has just been changed. Sign in again.');
  }
  return value;
}

/** A session not yet stored, and the value of its cookie. */
export function newSession(
  { id: userId, passwordHash }: Pick<SignedInUser, 'id' | 'passwordHash'>,
  { browser, os, country }: Device,
  {
    beganBy = 'password',
    replaces = null,
    provider = null,
  }: {
    readonly beganBy?: store.BeganBy;
    readonly replaces?: string | null;
    /** The provider of the service that has confirmed the user in the first step. */
    readonly provider?: string | null;
  } = {},
) {
  const now = Date.now();
  const value = randomToken(32);
  const endsAt = now + (provider === null ? SESSION_SECONDS * 1000 : PROVIDER_SESSION_MS);
  const ids = { familyId: crypto.randomUUID(), hash: hashSecret(value), userId, passwordHash };
  return {
    value,
    session: { ...ids, startedAt: now, endsAt, browser, os, country, beganBy, replaces, provider },
  };
}

/**
 * Finds the session of a cookie's value; null if it is unknown, ended, idle for 12 hours or 30 days old, or its user is
 * disabled. Throws `store_unavailable`.
 *
 * @param isSeen whether that is a use of the session, which is noted
 */
export async function findSession(db: Database, value: string, isSeen = true): Promise<Session | null> {
  if (!VALUE.test(value)) return null;
  const now = Date.now();
  const look = {
    hash: hashSecret(value),
    now,
    idleSince: now - IDLE_MS,
    staleSince: isSeen ? now - SEEN_MS : 0,
    encodeSince: firstShownDay(now),
  };
  const [, [row]] = await db.batch<[never, SessionRow]>(selectSession(look));
  if (!row) return null;
  const given = toGivenName(row.given);
  return {
    credential: { kind: 'token', use: 'session', familyId: row.family_id, userId: row.user_id },
    userId: row.user_id,
    userName: row.name,
    shownName: given?.name ?? row.name,
    given,
    limitedTo: row.limited_to,
    timeZone: row.time_zone,
    language: row.language,
    confirmedAt: row.confirmed_at,
    hasFactor: row.has_factor === 1,
    manyWrongCodes: row.wrong_codes < MAX_OF_ADDRESS ? 0 : row.wrong_codes,
    provider: row.provider === null ? null : JSON.parse(row.provider),
    clients: JSON.parse(row.clients),
    closedClients: JSON.parse(row.closed),
    deletedClients: JSON.parse(row.deleted),
    encodeCallers: JSON.parse(row.encode_callers),
  };
}

/** Lists the user's sessions: this one, then those seen last. Throws `store_unavailable`. */
export async function listSessions(db: Database, { credential }: Session): Promise<readonly ActiveSession[]> {
  const now = Date.now();
  const [rows] = await db.batch<[active.ActiveSessionRow]>([active.selectSessions(credential, now, now - IDLE_MS)]);
  return rows.map((row) => ({
    id: row.family_id,
    isCurrent: row.family_id === credential.familyId,
    // One that began before this was stored.
    beganBy: row.began_by ?? 'password',
    startedAt: row.started_at,
    seenAt: row.seen_at,
    browser: row.browser,
    os: row.os,
    country: row.country,
  }));
}

/** Signs this session's browser out. Throws `store_unavailable`. */
export async function endSession(db: Database, { credential }: Session): Promise<void> {
  await db.batch([active.endSession(credential, Date.now(), credential.familyId)]);
}

/**
 * Ends one of the user's sessions. It is no error if the session has ended or belongs to another user. Throws
 * `store_unavailable`.
 */
export async function revokeSession(db: Database, { credential }: Session, id: string): Promise<void> {
  await db.batch([active.endSession(credential, Date.now(), id)]);
}

/** Ends the user's other sessions; the tokens of programs stay valid. Throws `store_unavailable`. */
export async function endOtherSessions(db: Database, { credential }: Session): Promise<void> {
  await db.batch(active.endOtherSessions(credential, Date.now()));
}

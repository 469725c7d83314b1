import type { Database } from '../../database/database.ts';
import { logProblem } from '../../isolate/log.ts';
import { insertWarningNotices } from './suspension-notices.ts';
import * as store from './suspension-store.ts';

/**
 * The daily pass over the people whom providers know: those with a refresh token are asked for, and those without a
 * confirmation for long are warned, and suspended.
 */

/** A provider as the pass asks it. */
interface AskedProvider {
  readonly id: string;
  /** Null for that of the service. */
  readonly clientId: string | null;
  readonly issuer: string;
  /** The id that the provider gave the service. */
  readonly application: string;
  /** The sealed client secret, or null. */
  readonly secret: string | null;
}

/**
 * The response of a provider to a refresh token. `unknown` is an outage, or a response that cannot be read: it
 * changes nothing.
 */
type Confirmation =
  | {
      readonly outcome: 'confirmed';
      /** The sealed refresh token for the next time; null if the one that was sent is still valid. */
      readonly refreshToken: string | null;
    }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'unknown' };

/** Asks a provider with a sealed refresh token of one of its people. It throws nothing, and has its own limit of time. */
export type ConfirmByRefreshToken = (provider: AskedProvider, refreshToken: string) => Promise<Confirmation>;

const RUN_MS = 120_000;
// An invocation may make 1,000 calls, and each person takes a request and two of the database.
const MAX_ASKED = 200;
const MAX_SUSPENDED = 500;
/** The part of a run that one provider can use up, however slow it is. */
const SHARE = 1 / 4;

/**
 * Asks for people with live keys, application passwords or other sign-ins, those asked longest ago first; then warns and
 * suspends. What is left continues the next day. A provider that does not respond, or takes long, is left out for the
 * rest of the run. Throws `store_unavailable`.
 */
export async function confirmMembers(
  db: Database,
  ask: ConfirmByRefreshToken,
  now: number,
  { runMs = RUN_MS, maxAsked = MAX_ASKED, maxSuspended = MAX_SUSPENDED } = {},
): Promise<void> {
  await askProviders(db, ask, { runMs, maxAsked });
  const [, , , due] = await db.batch<[never, never, never, store.DueRow]>([
    store.endWarnings(now),
    store.warnUnconfirmed(now),
    insertWarningNotices(now),
    store.selectDue(now, maxSuspended),
  ]);
  // One by one, so that the last owner is found when the others are suspended.
  for (const { provider_id: providerId, subject } of due) {
    await db.batch(store.suspendUnconfirmed({ providerId, subject }, now));
  }
}

async function askProviders(
  db: Database,
  ask: ConfirmByRefreshToken,
  { runMs, maxAsked }: { readonly runMs: number; readonly maxAsked: number },
): Promise<void> {
  const until = Date.now() + runMs;
  const [people] = await db.batch<[store.AskedRow]>([store.selectAsked(Date.now(), maxAsked)]);
  const usedMs = new Map<string, number>();
  const refused: { readonly identity: store.IdentityRef; readonly token: string; readonly isEmergency: number }[] = [];
  for (const { subject, refresh_token: token, is_emergency: isEmergency, ...row } of people) {
    if (Date.now() >= until) break;
    const used = usedMs.get(row.id) ?? 0;
    if (used >= runMs * SHARE) continue;
    const identity = { providerId: row.id, subject };
    const provider = { ...row, clientId: row.client_id };
    const askedAt = Date.now();
    const said = await ask(provider, token).catch((cause: unknown) => {
      logProblem('provider_not_asked', cause, { provider_id: row.id });
      return { outcome: 'unknown' } as const;
    });
    const now = Date.now();
    usedMs.set(row.id, said.outcome === 'unknown' ? Infinity : used + now - askedAt);
    if (said.outcome === 'refused') refused.push({ identity, token, isEmergency });
    else if (said.outcome === 'unknown') await db.batch([store.noteAsked(identity, now)]);
    else await db.batch(store.confirm(identity, now, { sent: token, received: said.refreshToken }));
  }
  // Owners for emergencies come last: where a provider refuses all owners, it is they who stay.
  for (const { identity, token } of refused.toSorted((a, b) => a.isEmergency - b.isEmergency)) {
    await db.batch(store.suspendRefused(identity, Date.now(), token));
  }
}

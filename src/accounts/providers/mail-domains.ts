import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { logProblem } from '../../isolate/log.ts';
import type { Resolver } from '../../network/dns.ts';
import { parseDomainName } from '../../network/hosts.ts';
import { newSecretId } from '../../secrets/random-secrets.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from '../access.ts';
import { requireConfirmation } from '../sessions/confirmation.ts';
import type { Session } from '../sessions/session.ts';
import * as store from './mail-domain-store.ts';

/** The mail domains of a workspace, each proven by a TXT record: who enters an address there finds its provider. */

/** A mail domain that a workspace claims, and the record that proves it. */
export interface MailDomain {
  readonly domain: string;
  readonly isProven: boolean;
  readonly record: { readonly name: string; readonly value: string };
}

/** The capabilities of the verbs here. */
interface Tools {
  readonly db: Database;
  readonly actor: Actor;
  readonly session: Session;
}

/** Throws `store_unavailable`, and what `authorize` throws. */
export async function listMailDomains(db: Database, actor: Actor): Promise<readonly MailDomain[]> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, store.MailDomainRow]>([
    selectAccess(actor, 'members', now),
    store.selectMailDomains(actor, now),
  ]);
  authorize(access, actor);
  return rows.map(({ domain, challenge, proven_at: provenAt }) => ({
    domain,
    isProven: provenAt !== null,
    record: recordOf(domain, challenge),
  }));
}

const recordOf = (domain: string, challenge: string) => ({
  name: `_terse-sign-in.${domain}`,
  value: `terse-sign-in=${challenge}`,
});

/**
 * Claims a mail domain. Throws `invalid_host`, `too_many_domains`, `step_up_required`, `store_unavailable`, and what
 * `authorize` throws.
 */
export async function addMailDomain({ db, actor, session }: Tools, text: string): Promise<void> {
  requireConfirmation(session);
  const domain = parseDomainName(text.trim());
  if (domain === null) {
    const sentence = 'This must be a host name, such as go.example.com.';
    throw new AppError('invalid_host', sentence, { faults: [{ field: 'domain', sentence }] });
  }
  const now = Date.now();
  const [access, claimed] = await db.batch<[AccessRow, unknown]>([
    selectAccess(actor, 'members', now),
    store.insertMailDomain(actor, now, domain, newSecretId() + newSecretId()),
  ]);
  authorize(access, actor);
  if (claimed.length > 0) return;
  throw new AppError(
    'too_many_domains',
    `The limit of ${store.MAX_MAIL_DOMAINS} domains is reached. Remove one that is not used.`,
  );
}

/**
 * Looks for the record of a mail domain, and returns true if it proves the domain for this workspace. Throws `domain_taken`
 * if another one has proven it, `resolver_unavailable`, `step_up_required`, and what `authorize` throws.
 */
export async function verifyMailDomain(
  { db, actor, session }: Tools,
  resolve: Resolver,
  domain: string,
): Promise<boolean> {
  requireConfirmation(session);
  const claim = (await listMailDomains(db, actor)).find((each) => each.domain === domain);
  if (!claim || !(await isProven(resolve, claim.record))) return false;
  const [, proven] = await db.batch<[never, unknown]>(store.proveMailDomain(actor, Date.now(), domain));
  if (proven.length > 0) return true;
  throw new AppError('domain_taken', 'Another workspace has verified this domain.');
}

/** Null if the name servers of the domain fail, which says nothing about it. */
async function isProven(resolve: Resolver, { name, value }: MailDomain['record']): Promise<boolean | null> {
  const records = await resolve(name);
  if (records === 'server_failure') return null;
  return records !== 'no_such_name' && records.some((text) => text.trim() === value);
}

/** Throws `step_up_required`, `store_unavailable`, and what `authorize` throws. */
export async function removeMailDomain({ db, actor, session }: Tools, domain: string): Promise<void> {
  requireConfirmation(session);
  const now = Date.now();
  const [access] = await db.batch<[AccessRow, never, never]>([
    selectAccess(actor, 'members', now),
    ...store.deleteMailDomain(actor, now, domain),
  ]);
  authorize(access, actor);
}

const CHECKED_A_DAY = 200;
/** As of the domains of links. */
const FAILURES_UNTIL_LOST = 3;

const RUN_MS = 120_000;

/**
 * For the daily work: checks the proven domains again, those first that were checked longest ago. One whose check fails
 * comes last the next time, so that it keeps no other one from being checked.
 */
export async function checkMailDomains(
  db: Database,
  resolve: Resolver,
  now: number,
  checkedADay = CHECKED_A_DAY,
): Promise<void> {
  const until = Date.now() + RUN_MS;
  const [rows] = await db.batch<[store.ProvenRow]>([store.selectProven(checkedADay)]);
  for (const row of rows) {
    if (Date.now() >= until) return;
    const found = await isProven(resolve, recordOf(row.domain, row.challenge)).catch((cause: unknown) => {
      logProblem('mail_domain_not_checked', cause, { domain: row.domain });
      return null;
    });
    await db.batch(
      found === false ? store.missProof(row, now, FAILURES_UNTIL_LOST) : [store.noteCheck(row, now, found)],
    );
  }
}

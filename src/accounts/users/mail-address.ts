import * as z from 'zod';
import { tooManyRequests } from '../../bounds/rate-limiter.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { fault } from '../../input/validation.ts';
import { lazy } from '../../isolate/lazy.ts';
import { parseAddress } from '../../mail/address.ts';
import type { MailTokens } from '../../mail/mail-tokens.ts';
import { hashSecret, newSecretId } from '../../secrets/random-secrets.ts';
import { expiredSession } from '../refusals.ts';
import type { Session } from '../sessions/session.ts';
import * as store from './mail-address-store.ts';
import { HOUR_MS } from '../../time/day.ts';

/** The address to which a user's mails go. Until a mailed link confirms it, it gets nothing else. */

/** The addresses of a user. */
export interface MailAddress {
  /** The confirmed one, or null. */
  readonly address: string | null;
  /** One that a mailed link can still confirm, or null. */
  readonly pending: string | null;
}

/** The address of a session's user. Throws `invalid_credential`, `store_unavailable`. */
export async function readMailAddress(db: Database, { credential }: Session): Promise<MailAddress> {
  const [[row]] = await db.batch<[store.AddressRow]>([store.selectAddress(credential, Date.now())]);
  if (row === undefined) throw expiredSession();
  return { address: row.confirmed_at === null ? null : row.address, pending: row.pending };
}

/** A text that is an address of mail. */
export const mailAddressField = lazy(() =>
  z.string().transform((text, context) => {
    const address = parseAddress(text);
    if (address !== null) return address;
    context.addIssue({
      code: 'custom',
      message: 'must be an e-mail address, such as name@example.com',
      ...fault('invalid_email'),
    });
    return z.NEVER;
  }),
);

export const mailAddressFields = lazy(() => z.strictObject({ address: mailAddressField() }));

/**
 * Mails a link to an address, which confirms it within an hour. The confirmed address stays until then. Throws
 * `too_many_requests`, `invalid_credential`, `store_unavailable`.
 *
 * @param language that of the mail
 */
export async function changeMailAddress(
  db: Database,
  { credential }: Session,
  tokens: MailTokens,
  address: string,
  language: string,
): Promise<void> {
  const now = Date.now();
  const id = newSecretId();
  const mail = { id, kind: 'confirm', now, address, tokenHash: hashSecret(tokens.newToken(id)) } as const;
  const [kept, , signedIn] = await db.batch<[unknown, unknown, store.AddressRow]>(
    store.insertPending(credential, mail, now + HOUR_MS, language),
  );
  if (signedIn.length === 0) throw expiredSession();
  if (kept.length === 0) throw tooManyRequests('Too many links were mailed today. Try again tomorrow.');
}

/** The address that a link would confirm for a session's user; null if it cannot. Throws `store_unavailable`. */
export async function findPendingAddress(db: Database, { credential }: Session, token: string): Promise<string | null> {
  const [[row]] = await db.batch<[{ readonly pending: string }]>([
    store.selectPending(credential, Date.now(), hashSecret(token)),
  ]);
  return row?.pending ?? null;
}

/** Uses up a link that was mailed to the session's user. Throws `gone`, `store_unavailable`. */
export async function confirmMailAddress(db: Database, { credential }: Session, token: string): Promise<void> {
  const [, confirmed] = await db.batch<[unknown, unknown]>(
    store.confirmPending(credential, Date.now(), hashSecret(token), newSecretId()),
  );
  if (confirmed.length === 0)
    throw new AppError('gone', 'The link has been used or replaced, has expired, or is of another account.');
}

/** Removes the address of a session's user, and one that is not confirmed. Throws `store_unavailable`. */
export async function removeMailAddress(db: Database, { credential }: Session): Promise<void> {
  await db.batch(store.deleteAddress(credential, Date.now(), newSecretId()));
}

import type { Database } from '../database/database.ts';
import { selectFailed } from './mail-store.ts';

/** A mail that was given up. */
interface FailedMail {
  readonly id: string;
  readonly kind: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
  readonly tries: number;
  readonly error: string;
}

interface FailedRow {
  readonly id: string;
  readonly kind: string;
  readonly failed_at: number;
  readonly tries: number;
  readonly error: string;
}

/** For the operator: the number of mails that wait, and those that failed in the last 30 days, newest first. */
export async function listFailedMails(
  db: Database,
  limit: number,
): Promise<{ readonly waiting: number; readonly failed: readonly FailedMail[] }> {
  const [[count], rows] = await db.batch<[{ readonly waiting: number }, FailedRow]>(selectFailed(limit));
  return {
    waiting: count?.waiting ?? 0,
    failed: rows.map(({ failed_at: failedAt, ...row }) => ({ ...row, failedAt })),
  };
}

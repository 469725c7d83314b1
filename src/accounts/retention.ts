import type { Statement } from '../database.ts';
import { deleteAuditBefore, deleteSurplusAudit } from './write-audit.ts';
import { deleteOldEncodeDays } from './encode-callers.ts';
import { deleteEndedFamilies, deleteTokensOfEndedFamilies, endSurplusFamilies } from './refresh-token-store.ts';
import { deleteInvitesBefore } from './invite-store.ts';
import { deleteResetsBefore } from './reset-store.ts';
import { deleteSessionsOfEndedFamilies } from './session-store.ts';
import { deleteFormNoncesBefore } from './form-nonces.ts';

const DAY_MS = 24 * 3600 * 1000;
const AUDIT_DAYS = 366;
const ENDED_LINK_DAYS = 30;

/**
 * What the daily clean-up removes of accounts: token families past their 30 days, with their refresh tokens and sessions,
 * the audit log and spent forms after a year, invites and reset links a month after their end, and calls of
 * `/shortener/encode` after 30 days; and what is more than a user's newest sign-ins or a client's newest entries. A family that was ended early stays until then, so that a stolen token of it goes on
 * being refused as one of ours; an old link, so that it is told from one that never was.
 */
export function expiredAccountRows(now: number): Statement[] {
  return [
    endSurplusFamilies(now),
    deleteTokensOfEndedFamilies(now),
    deleteSessionsOfEndedFamilies(now),
    deleteEndedFamilies(now),
    deleteAuditBefore(now - AUDIT_DAYS * DAY_MS),
    deleteSurplusAudit(),
    deleteInvitesBefore(now - ENDED_LINK_DAYS * DAY_MS),
    deleteResetsBefore(now - ENDED_LINK_DAYS * DAY_MS),
    deleteOldEncodeDays(now),
    deleteFormNoncesBefore(now - AUDIT_DAYS * DAY_MS),
  ];
}

import type { Statement } from '../database.ts';
import { deleteAuditBefore } from './audit.ts';
import { deleteOldEncodeDays } from './encode-callers.ts';
import { deleteEndedFamilies, deleteTokensOfEndedFamilies } from './family-store.ts';
import { deleteInvitesBefore } from './invite-store.ts';
import { deleteSessionsOfEndedFamilies } from './session-store.ts';
import { deleteSpentFormsBefore } from './spent-forms.ts';

const DAY_MS = 24 * 3600 * 1000;
const AUDIT_DAYS = 366;
const ENDED_INVITE_DAYS = 30;

/**
 * What the daily clean-up removes of accounts: token families past their 30 days, with their refresh tokens and sessions, the audit
 * log and spent forms after a year, invites a month after their end, and calls of `/shortener/encode` after 30 days. A family that was ended early stays until then, so that a stolen
 * token of it goes on being refused as one of ours; an old invite, so that its link is told from one that never was.
 */
export function expiredAccountRows(now: number): Statement[] {
  return [
    deleteTokensOfEndedFamilies(now),
    deleteSessionsOfEndedFamilies(now),
    deleteEndedFamilies(now),
    deleteAuditBefore(now - AUDIT_DAYS * DAY_MS),
    deleteInvitesBefore(now - ENDED_INVITE_DAYS * DAY_MS),
    deleteOldEncodeDays(now),
    deleteSpentFormsBefore(now - AUDIT_DAYS * DAY_MS),
  ];
}

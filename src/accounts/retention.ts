import type { Statement } from '../database/database.ts';
import { deleteAuditBefore, deleteSurplusAudit } from './audit/write-audit.ts';
import { deleteTriesBefore } from './factors/code-store.ts';
import { deleteOldEncodeDays } from './tokens/encode-callers.ts';
import { deleteEndedFamilies, deleteTokensOfEndedFamilies, endSurplusFamilies } from './tokens/refresh-token-store.ts';
import { deleteInvitesBefore } from './invites/invite-store.ts';
import { deleteResetsBefore } from './users/reset-store.ts';
import { deleteSessionsOfEndedFamilies } from './sessions/session-store.ts';
import { deleteSignInsBefore, deleteSurplusSignIns, SIGN_IN_DAYS } from './sessions/sign-in-records.ts';
import { deletePasswordsRevokedBefore } from './application-passwords/application-password-store.ts';
import { deleteFormNoncesBefore } from './form-nonces.ts';
import { deleteEndedGrants, deleteOldCodes } from './oauth/code-store.ts';
import { forgetApplications } from './oauth/registration-store.ts';
import { deleteSpentChallenges } from './passkeys/passkey-store.ts';
import { DAY_MS } from '../time/day.ts';

const AUDIT_DAYS = 366;
const ENDED_LINK_DAYS = 30;

/**
 * The rows of accounts that the daily clean-up removes: token families 30 days after their sign-in, with their refresh
 * tokens and sessions; audit entries and form nonces after a year; invites and reset links a month after their end;
 * calls of `/shortener/encode` after 30 days; codes of OAuth after a day, ended grants, and applications that were not
 * used for 90 days; challenges of passkeys that have expired; the history of sign-ins after 90 days, as revoked application
 * passwords, which it names; and the sign-ins of a user and the entries of a client beyond the newest ones. A family that
 * was ended early is kept until then, so that its stolen tokens are still recognised as ours; so is an old link, so that it
 * differs from one that never existed.
 */
export function expiredAccountRows(now: number): Statement[] {
  return [
    endSurplusFamilies(now),
    deleteTokensOfEndedFamilies(now),
    deleteSessionsOfEndedFamilies(now),
    deleteEndedGrants(now),
    deleteEndedFamilies(now),
    deleteAuditBefore(now - AUDIT_DAYS * DAY_MS),
    deleteSurplusAudit(),
    deleteInvitesBefore(now - ENDED_LINK_DAYS * DAY_MS),
    deleteResetsBefore(now - ENDED_LINK_DAYS * DAY_MS),
    deleteOldEncodeDays(now),
    deleteTriesBefore(now - 2 * DAY_MS),
    deleteFormNoncesBefore(now - AUDIT_DAYS * DAY_MS),
    deleteSignInsBefore(now - SIGN_IN_DAYS * DAY_MS),
    deleteSurplusSignIns(),
    deletePasswordsRevokedBefore(now - SIGN_IN_DAYS * DAY_MS),
    deleteOldCodes(now),
    ...forgetApplications(now),
    deleteSpentChallenges(now),
  ];
}

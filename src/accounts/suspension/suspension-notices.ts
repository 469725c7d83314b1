import type { Statement } from '../../database/database.ts';
import { insertNotices } from '../../mail/notice-sql.ts';
import { WARNING_MS } from '../sessions/lifetime.ts';
import { CAN_BE_SUSPENDED } from './suspension-store.ts';

/**
 * Inserts a mail to each person who was warned and would be suspended, once for each warning. Who confirms an address later
 * gets it too.
 */
export const insertWarningNotices = (now: number): Statement =>
  insertNotices(now, {
    kind: 'unconfirmed',
    people: `SELECT i.user_id, p.client_id, i.provider_id, i.warned_at, json_object(
        'provider', i.provider_id, 'warned_at', i.warned_at, 'at', i.warned_at + ${WARNING_MS}) AS details
      FROM identities i JOIN providers p ON p.id = i.provider_id
      WHERE i.warned_at > ?4 AND i.refresh_token IS NULL AND p.ended_at IS NULL AND p.unconfirmed_days IS NOT NULL
        AND ${CAN_BE_SUSPENDED}`,
    params: [now - WARNING_MS],
    id: `'unconfirmed ' || p.warned_at || ' ' || p.user_id || ' ' || p.provider_id`,
  });

import { AppError } from '../errors.ts';
import type { Subject } from '../statistics/questions/questions.ts';
import type { Permission } from './permission.ts';

/** Who has the address of a public statistics page may ask about the clicks of its link or campaign, and no others. */
export interface SharedBy {
  readonly kind: 'share';
  readonly secretHash: string;
}

/** True if the subject of a share `s` is still there: its link, or a link that has its campaign. */
export const IS_LIVE_SHARE = `CASE
    WHEN s.link_id IS NULL THEN EXISTS (
      SELECT 1 FROM links l WHERE l.client_id = s.client_id AND l.campaign_name = s.campaign_name AND l.deleted_at IS NULL)
    ELSE EXISTS (
      SELECT 1 FROM links l LEFT JOIN domains d ON d.id = l.domain_id
      WHERE l.id = s.link_id AND l.client_id = s.client_id AND l.deleted_at IS NULL AND d.removed_at IS NULL) END`;

const SELECT_SHARED = `
  SELECT s.client_id FROM statistics_shares s
  WHERE s.secret_hash = ?1 AND coalesce(s.link_id, s.campaign_name) = ?3 AND (s.link_id IS NULL) = (?2 = 'campaign')
    AND ${IS_LIVE_SHARE}`;

interface SharedRow {
  readonly client_id: string;
}

export function sharedPermission({ secretHash }: SharedBy, subject: Subject): Permission {
  return {
    select: { sql: SELECT_SHARED, params: [secretHash, subject.kind, 'name' in subject ? subject.name : ''] },
    decide: (row) => {
      if (row === undefined) throw noSuchShare();
      return (row as SharedRow).client_id;
    },
  };
}

export function noSuchShare(): AppError {
  return new AppError('not_found', 'Page not found.');
}

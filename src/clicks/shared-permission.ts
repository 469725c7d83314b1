import { AppError } from '../errors.ts';
import type { Subject } from '../statistics/questions/questions.ts';
import type { Permission } from './permission.ts';

/** Who has the address of a public statistics page may ask about the clicks that it shows, and no others. */
export interface SharedBy {
  readonly kind: 'share';
  readonly secretHash: string;
}

/**
 * The `campaign_name` of a share of all clicks of a client. No campaign has an empty name, since an empty field of a link
 * is null, so that such a row needs no column of its own, and release 1.3.0 finds no page for it.
 */
export const WHOLE_CLIENT = '';

/** True if the subject of a share `s` is still there: its link, a link that has its campaign, or its client. */
export const IS_LIVE_SHARE = `CASE
    WHEN s.campaign_name = '${WHOLE_CLIENT}' THEN NOT EXISTS (
      SELECT 1 FROM deletions x WHERE x.client_id = s.client_id AND x.undone_at IS NULL)
    WHEN s.link_id IS NULL THEN EXISTS (
      SELECT 1 FROM links l WHERE l.client_id = s.client_id AND l.campaign_name = s.campaign_name AND l.deleted_at IS NULL)
    ELSE EXISTS (
      SELECT 1 FROM links l LEFT JOIN domains d ON d.id = l.domain_id
      WHERE l.id = s.link_id AND l.client_id = s.client_id AND l.deleted_at IS NULL AND d.removed_at IS NULL) END`;

const SELECT_SHARED = `
  SELECT s.client_id FROM statistics_shares s
  WHERE s.secret_hash = ?1 AND ${IS_LIVE_SHARE} AND CASE ?2
    WHEN 'link' THEN s.link_id = ?3
    WHEN 'campaign' THEN s.campaign_name = ?3 AND ?3 <> '${WHOLE_CLIENT}'
    WHEN 'client' THEN s.campaign_name = '${WHOLE_CLIENT}' END`;

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

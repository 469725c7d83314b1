import { AppError } from '../errors.ts';
import type { Subject } from '../statistics/questions/questions.ts';
import { isMoved } from './former/days.ts';
import { namesOf, PERMITTED, type Permission } from './permission.ts';

/** Who has the address of a public statistics page may ask about the clicks of its link or campaign, and no others. */
export interface SharedBy {
  readonly kind: 'share';
  readonly secretHash: string;
}

/** Whether what a share `s` is of is still there: its link, or a link that has its campaign. */
export const IS_LIVE_SHARE = `CASE
    WHEN s.link_id IS NULL THEN EXISTS (
      SELECT 1 FROM links l WHERE l.client_id = s.client_id AND l.campaign_name = s.campaign_name AND l.deleted_at IS NULL)
    ELSE EXISTS (
      SELECT 1 FROM links l LEFT JOIN domains d ON d.id = l.domain_id
      WHERE l.id = s.link_id AND l.client_id = s.client_id AND l.deleted_at IS NULL AND d.removed_at IS NULL) END`;

const SHARED = `WITH permitted AS MATERIALIZED (
    SELECT (
      SELECT s.client_id FROM statistics_shares s
      WHERE s.secret_hash = ?1 AND coalesce(s.link_id, s.campaign_name) = ?3 AND (s.link_id IS NULL) = (?2 = 'campaign')
        AND ${IS_LIVE_SHARE}) AS id)`;

interface SharedRow {
  readonly client_id: string | null;
  readonly is_moved: number;
}

export function sharedPermission({ secretHash }: SharedBy, subject: Subject): Permission {
  const params = [secretHash, subject.kind, 'name' in subject ? subject.name : ''];
  const [kind, names] = namesOf(subject);
  return {
    kind,
    names,
    head: SHARED,
    params,
    select: {
      sql: `${SHARED} SELECT ${PERMITTED} AS client_id, ${isMoved(PERMITTED)} AS is_moved`,
      params: [...params],
    },
    decide: (row) => {
      const { client_id: clientId = null, is_moved: moved = 0 } = (row ?? {}) as Partial<SharedRow>;
      if (clientId === null) throw noSuchShare();
      return { clientId, isMoved: moved === 1 };
    },
  };
}

export function noSuchShare(): AppError {
  return new AppError('not_found', 'Page not found.');
}

import { countEncodeCall } from '../../accounts/tokens/encode-callers.ts';
import type { Credential } from '../../accounts/grants.ts';
import { isOfRequest, repeatParams } from '../../accounts/stored-responses.ts';
import type { Database } from '../../database/database.ts';
import type { LinkDraft } from './create-refusals.ts';
import { createLinkOnce, type LinkRequest } from './create-once.ts';
import { createLink } from './create.ts';
import type { ProtectedLink } from '../input.ts';
import type { Link } from '../link.ts';
import type { LinkRecord } from '../record.ts';

const IS_CREATED = 'EXISTS (SELECT 1 FROM links WHERE id = ?8)';

/** Like `createLink`, for `/shortener/encode`: the same batch counts the call, successful or refused. */
export function encodeLink(db: Database, credential: Credential, input: ProtectedLink): Promise<Link> {
  return createLink(db, credential, input, ({ id, clientId }) =>
    countEncodeCall(credential, clientId, { sql: IS_CREATED, params: [id] }),
  );
}

/** Like `createLinkOnce`. A repeated call, which gets the first answer again, counts as one that created a link. */
export function encodeLinkOnce(
  db: Database,
  credential: Credential,
  input: ProtectedLink,
  request: LinkRequest<LinkRecord>,
): Promise<LinkRecord> {
  const isKnown = `EXISTS (SELECT 1 FROM idempotency_keys
    WHERE client_id = ?6 AND ${isOfRequest(9)} AND fingerprint = ?12)`;
  const beside = ({ id, clientId }: LinkDraft) =>
    countEncodeCall(credential, clientId, {
      sql: `(${IS_CREATED} OR ${isKnown})`,
      params: [id, ...repeatParams(request), request.fingerprint],
    });
  return createLinkOnce(db, credential, input, { ...request, beside });
}

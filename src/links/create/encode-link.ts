import { countEncodeCall } from '../../accounts/tokens/encode-callers.ts';
import type { Credential } from '../../accounts/grants.ts';
import { isOfRequest, repeatParams, type RepeatKey } from '../../accounts/stored-responses.ts';
import type { Link } from '../link.ts';
import type { CreateTools } from './admit.ts';
import { createLink } from './create.ts';
import type { NewLink } from './new-link.ts';

const IS_CREATED = 'EXISTS (SELECT 1 FROM links WHERE id = ?8)';
const IS_KNOWN = `EXISTS (SELECT 1 FROM idempotency_keys
  WHERE client_id = ?6 AND ${isOfRequest(9)} AND fingerprint = ?12)`;

/**
 * Like `createLink`, for `/shortener/encode`: the same batch counts the call, successful or refused. A repeated call, which
 * gets the first answer again, counts as one that created a link.
 */
export function encodeLink<Result>(
  tools: CreateTools,
  credential: Credential,
  link: NewLink,
  responseTo: (link: Link) => Result,
  repeat: RepeatKey | null,
): Promise<Result> {
  return createLink(tools, credential, link, responseTo, {
    repeat,
    beside: ({ id, clientId }, repeated) =>
      countEncodeCall(credential, clientId, {
        sql: repeated ? `(${IS_CREATED} OR ${IS_KNOWN})` : IS_CREATED,
        params: repeated ? [id, ...repeatParams(repeated), repeated.fingerprint] : [id],
      }),
  });
}

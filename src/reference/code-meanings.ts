import { STATUS_BY_CODE, type ErrorCode } from '../errors.ts';

export const ALL_CODES = Object.keys(STATUS_BY_CODE).filter(isErrorCode);

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(STATUS_BY_CODE, code);
}

/** The meaning of each status of a failure. */
export const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong',
  401: 'The credential is missing or not valid',
  403: 'The credential is valid, but does not have this permission',
  404: 'It does not exist',
  405: 'The path does not support this method',
  409: 'The request conflicts with what exists already',
  410: 'It has expired, or has been disabled or deleted',
  412: 'It has been changed since it was read',
  413: 'The body is too large',
  415: 'Bodies of this type are not accepted here',
  429: 'Too many requests; wait as many seconds as `Retry-After` says',
  500: 'An internal error; it has been logged',
  503: 'The service is temporarily unavailable; try again after `Retry-After`',
};

/** The codes whose names say what they mean. */
type Named = Exclude<
  ErrorCode & (`invalid_${string}` | `too_many_${string}` | `${string}_taken` | `${string}_in_use`),
  Own
>;
type Own = 'invalid_credential' | 'too_many_requests';

const BY_CODE: Readonly<Record<Exclude<ErrorCode, Named>, string>> & Partial<Record<Named, string>> = {
  malformed_body: 'The body, or the file in it, cannot be read.',
  missing_field: 'A required field or parameter is missing.',
  repeated_field: 'A field or parameter is given more than once.',
  unknown_field: 'The endpoint has no field or parameter of this name.',
  file_field: 'A field of the form is a file, but must be a text.',
  too_long: 'A field, or the query as a whole, is longer than allowed.',
  own_host: 'The URL or host is one of this service itself, or of a domain that it serves.',
  blocked_host: 'The operator, or the filter that the operator uses, has blocked the host of the URL.',
  destination_unreachable: 'The server of the destination does not respond, or its certificate is not valid.',
  destination_too_slow: 'The page of the destination could not be read within three seconds.',
  destination_closed: 'The file robots.txt of the host of the destination closes the page to TerseBot.',
  invalid_rules: 'A rule, or one of its conditions, is not valid. The sentence says which one.',
  invalid_variants: 'A variant is not valid. The sentence says which one.',
  invalid_dates: 'The order of the dates of a file is not clear, or the value of dates is not valid.',
  invalid_cursor: 'The cursor is not valid for this list. Start without a cursor.',
  invalid_idempotency_key: 'The header Idempotency-Key is malformed, or the endpoint does not support it.',
  invalid_if_match: 'The header If-Match is malformed. Send the ETag with its quotes.',
  invalid_passkey: 'The passkey is not valid at this host, or what it has signed was used before.',
  passkey_taken: 'The passkey has been added before.',
  too_many_passkeys: 'The limit of passkeys of a user is reached.',
  malformed_row: 'A row of a file does not fit the header, is too long, or is not JSON.',
  too_many_links: 'More links have the tag or the campaign than one request can be about.',
  too_many_rows: 'The file has more rows, or links to more hosts, than one import allows.',
  unknown_domain: 'The client has no active custom domain of this name.',
  missing_credential: 'The request has no credential that the endpoint accepts.',
  invalid_credential: 'The credential is malformed, expired, revoked or unknown, or is of another kind.',
  wrong_client: 'The credential does not belong to the client that the request names.',
  insufficient_scope: 'The credential does not have the scope for this, or a person must sign in.',
  not_owner: 'Only an owner of the client can do this.',
  step_up_required: 'A person must confirm this on the platform.',
  provider_required: 'The workspace is opened only by a sign-in of its own provider, or by API keys.',
  factor_required: 'The workspace demands a second factor, which the user has not set up.',
  wrong_origin: 'A form of the platform was sent from another website.',
  encode_retired: 'POST /shortener/encode no longer accepts new tokens. Use POST /v1/links.',
  link_blocked: 'The operator has blocked the host that the short link leads to.',
  not_found: 'Nothing with this address or id exists, or the caller has no access. At /info it is a 400.',
  method_not_allowed: 'The path exists, but not with this method. The header Allow lists the others.',
  path_taken: 'A link that forwards its path owns what is below it, so no other link may be there.',
  not_reusable: 'A create with reuse has a slug, a password or a click limit.',
  slug_taken: 'Another link on the same host has the slug, or one that looks the same.',
  slug_of_deleted_link: 'A deleted link of the client has the slug, and can be restored; the error names its id.',
  external_id_taken: 'Another link of the client has the external id. A deleted one keeps it for 30 days.',
  too_many_aliases: 'The limit of aliases of a link is reached.',
  tag_taken: 'Another tag of the client has the name; case does not matter.',
  tag_in_use: 'A webhook is limited to the tag. An owner must change or delete that webhook first.',
  link_deleted: 'The link is deleted. Restore it first.',
  domain_removed: 'The custom domain of the link has been removed, so the link cannot be restored.',
  idempotency_key_reused: 'The Idempotency-Key was used with different content within the last 24 hours.',
  edit_conflict: 'Other requests are changing the same resource, or its state does not allow this. Try again.',
  key_ended: 'The API key is revoked or has expired.',
  last_owner: 'At least one owner must remain.',
  already_member: 'The user is already a member of the client.',
  name_taken: 'The user name, or one that looks the same, is already in use.',
  domain_taken: 'The domain has already been added.',
  domain_in_use: 'The domain has links.',
  too_many_keys: 'The limit of active API keys of a client is reached.',
  webhook_disabled: 'The webhook is disabled, so nothing is sent to it.',
  too_many_invites: 'The limit of open invites of a client is reached.',
  mail_off: 'The service sends no mail.',
  gone: 'The link has expired, is disabled, or has been deleted.',
  precondition_failed: 'The link has been changed since the ETag in If-Match.',
  body_too_large: 'The body is larger than the endpoint allows.',
  unsupported_media_type: 'The endpoint does not accept bodies of this Content-Type or Content-Encoding.',
  too_many_requests: 'The limit on requests is reached. The header Retry-After says how many seconds to wait.',
  internal_error: 'An internal error. It has been logged.',
  busy: 'Too many passwords are checked, or deliveries deleted, at once. Try again after Retry-After.',
  store_unavailable: 'A store is down, or the database takes no writes. Try again after Retry-After.',
  restoring: 'The database is being restored: links in memory or KV redirect (`GET /health?deep=1`).',
  read_only: 'The database takes no writes; links redirect (`GET /health?deep=1`).',
  full: 'The database is full; links redirect (`GET /health?deep=1`).',
  webhooks_off: 'The operator of this service has not set up webhooks.',
  resolver_unavailable: 'The DNS resolver does not respond. Try again after Retry-After.',
};

/** The meaning of a code, in a sentence. */
export function meaningOf(code: ErrorCode): string {
  const thing = code.replace(/^(invalid|too_many)_|_(taken|in_use)$/g, '');
  const words = thing.replaceAll('_', ' ');
  const own = BY_CODE[code];
  if (own !== undefined) return own;
  if (code.startsWith('invalid_')) return `The value of ${thing} is not valid.`;
  if (code.startsWith('too_many_')) return `The limit of ${words} of a client is reached.`;
  return code.endsWith('_taken') ? `Another ${words} of the client has the name.` : `The ${words} is in use.`;
}

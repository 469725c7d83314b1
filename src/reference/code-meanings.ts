import type { ErrorCode } from '../errors.ts';

type OfField = Exclude<ErrorCode & `invalid_${string}`, 'invalid_credential'>;

const BY_CODE: Readonly<Record<Exclude<ErrorCode, OfField>, string>> & Partial<Record<OfField, string>> = {
  malformed_body: 'The body, or the file in it, cannot be read.',
  missing_field: 'A required field or parameter is missing.',
  repeated_field: 'A field or parameter that may be given once is given more often.',
  unknown_field: 'The endpoint has no field or parameter of this name.',
  file_field: 'A field of the form is a file, but must be a text.',
  too_long: 'A field, or the query as a whole, is longer than allowed.',
  own_host: 'The URL or host is one of this service itself, or of a domain that it serves.',
  blocked_host: 'The operator, or the filter that the operator uses, has blocked the host of the URL.',
  invalid_cursor: 'The cursor belongs to a list with other parameters. Begin without one.',
  invalid_idempotency_key: 'The header Idempotency-Key is malformed, or the endpoint does not take it.',
  invalid_if_match: 'The header If-Match is malformed. Send the ETag with its quotes.',
  malformed_row: 'A row of a file does not fit the header, is too long, or is not JSON.',
  too_many_rows: 'The file has more rows, or leads to more hosts, than one import takes.',
  unknown_domain: 'The client has no active custom domain of this name.',
  missing_credential: 'The request has no credential that the endpoint takes.',
  invalid_credential: 'The credential is malformed, expired, revoked or unknown, or is of another kind.',
  wrong_client: 'The credential does not belong to the client that the request names.',
  insufficient_scope: 'The credential does not have the scope for this, or a person must sign in.',
  not_owner: 'Only an owner of the client may do this.',
  wrong_origin: 'A form of the platform was sent from another website.',
  encode_retired: 'POST /shortener/encode takes no tokens that are as new. Use POST /v1/links.',
  link_blocked: 'The operator has blocked the host that the short link leads to.',
  not_found: 'There is nothing of this address or id that the caller may see. It is a 400 at /info.',
  method_not_allowed: 'The path exists, but not with this method. The header Allow lists the others.',
  slug_taken: 'Another link on the same host has the slug, or one that looks the same.',
  too_many_aliases: 'The link has as many aliases as a link may have.',
  link_deleted: 'The link is deleted. Restore it first.',
  domain_removed: 'The custom domain of the link has been removed, so the link cannot be restored.',
  idempotency_key_reused: 'The Idempotency-Key came with other content within the last 24 hours.',
  edit_conflict: 'Others change the same thing at the same time, or it is not in the state for this. Try again.',
  key_ended: 'The API key is revoked or has expired.',
  last_owner: 'The client would have no owner left.',
  already_member: 'The user belongs to the client already.',
  name_taken: 'There is a user of this name, or of one that looks the same.',
  domain_taken: 'The domain has been added already.',
  domain_in_use: 'The domain has links.',
  too_many_domains: 'The client has as many domains as a client may have.',
  too_many_keys: 'The client has as many working API keys as a client may have.',
  too_many_invites: 'The client has as many open invites as a client may have.',
  gone: 'The link has expired, is disabled, or has been deleted.',
  precondition_failed: 'The link has been changed since the ETag in If-Match.',
  body_too_large: 'The body is larger than the endpoint takes.',
  unsupported_media_type: 'The endpoint takes no bodies of this Content-Type or Content-Encoding.',
  too_many_requests: 'The limit on requests is reached. The header Retry-After says how many seconds to wait.',
  internal_error: 'A fault of the service. It has been logged.',
  busy: 'Too many passwords are being checked at once. Try again after Retry-After.',
  store_unavailable: 'The database does not answer, or is being restored. Try again after Retry-After.',
  resolver_unavailable: 'The DNS resolver does not answer. Try again after Retry-After.',
};

/** What a code means, in a sentence. */
export function meaningOf(code: ErrorCode): string {
  return BY_CODE[code] ?? `The value of ${code.replace('invalid_', '')} is not one that the endpoint takes.`;
}

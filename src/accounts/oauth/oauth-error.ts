/** The error codes of OAuth that this service sends: of RFC 6749, and of what the others say. */
type OAuthCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  // RFC 8707
  | 'invalid_target'
  // RFC 7591
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri';

/** A failure that is sent to a program in the form of OAuth. */
export class OAuthError extends Error {
  readonly code: OAuthCode;

  /** @param sentence in ASCII without quotes and backslashes (RFC 6749, section 5.2) */
  constructor(code: OAuthCode, sentence: string) {
    super(sentence);
    this.name = 'OAuthError';
    this.code = code;
  }
}

export const unknownApplication = () => new OAuthError('invalid_client', 'The client_id is not known.');
export const unknownResource = () => new OAuthError('invalid_target', 'The resource is not one of this service.');

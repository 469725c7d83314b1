import { KEY_SCOPES, type KeyScope } from '../scopes.ts';
import { hostOf, type Application } from './application.ts';
import { OAuthError, unknownApplication, unknownResource } from './oauth-error.ts';
import { isOneOf, withParameters } from './redirect-uris.ts';
import { resourceOf } from './resources.ts';

/** A valid request for a code, which a user is asked about. */
export interface AuthorizationRequest {
  readonly application: Application;
  /** The host that stands beside the application's name. */
  readonly host: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** PKCE with S256 (RFC 7636). */
  readonly challenge: string;
  readonly resource: string;
  /** The scopes that it asks for; all if it names none. */
  readonly scopes: readonly KeyScope[];
}

/** A request that is refused, of a known application with one of its own URIs. */
export class RefusedRequest extends OAuthError {
  readonly host: string;
  /** The URI with the error, to which the user can return. */
  readonly back: string;

  constructor(error: OAuthError, host: string, back: string) {
    super(error.code, error.message);
    this.host = host;
    this.back = back;
  }
}

/**
 * Reads a request for a code (RFC 6749, section 4.1.1). Throws `OAuthError` if the application or its URI is unknown, so
 * that the browser must stay here, `RefusedRequest` for any other error, and what `find` throws.
 *
 * @param origin that of the service, for programs; also its name as issuer
 * @param find the application of a `client_id`, or null
 */
export async function readAuthorizationRequest(
  query: URLSearchParams,
  origin: string,
  find: (id: string) => Promise<Application | null>,
): Promise<AuthorizationRequest> {
  const application = await find(theOnly(query, 'client_id') ?? '');
  if (application === null) throw unknownApplication();
  const redirectUri = theOnly(query, 'redirect_uri') ?? '';
  if (!isOneOf(application.redirectUris, redirectUri))
    throw new OAuthError('invalid_redirect_uri', 'The redirect_uri is not one of the application.');
  const host = hostOf(application, redirectUri);
  try {
    const state = theOnly(query, 'state') ?? undefined;
    return { application, host, redirectUri, state, ...readRest(query, origin) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const state = query.getAll('state').length === 1 ? query.get('state')! : undefined;
    throw new RefusedRequest(error, host, errorUri({ redirectUri, state }, error.code, origin));
  }
}

/** The URI of a response with an error (RFC 6749, section 4.1.2.1), with the issuer (RFC 9207). */
export const errorUri = (
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  error: OAuthError['code'],
  origin: string,
): string => withParameters(redirectUri, { error, state, iss: origin });

/** The URI of a response with a code. */
export const codeUri = (
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  code: string,
  origin: string,
): string => withParameters(redirectUri, { code, state, iss: origin });

const S256 = /^[\w-]{43}$/;

function readRest(query: URLSearchParams, origin: string) {
  if (theOnly(query, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  if ((theOnly(query, 'response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query.');
  const challenge = theOnly(query, 'code_challenge') ?? '';
  if (theOnly(query, 'code_challenge_method') !== 'S256' || !S256.test(challenge))
    throw new OAuthError('invalid_request', 'PKCE is required: a code_challenge with code_challenge_method S256.');
  const resource = resourceOf(theOnly(query, 'resource'), origin);
  if (resource === null) throw unknownResource();
  return { challenge, resource, scopes: readScopes(theOnly(query, 'scope')) };
}

// Scopes of others, such as `offline_access`, are left out; the response says what was granted.
function readScopes(given: string | null): readonly KeyScope[] {
  const asked = new Set(given?.split(' ').filter((word) => word !== ''));
  if (asked.size === 0) return KEY_SCOPES;
  const known = KEY_SCOPES.filter((scope) => asked.has(scope));
  if (known.length === 0) throw new OAuthError('invalid_scope', `scope must have one of: ${KEY_SCOPES.join(' ')}.`);
  return known;
}

/** A parameter that must not be repeated; null if it is absent or empty. */
function theOnly(query: URLSearchParams, name: string): string | null {
  const [value, ...further] = query.getAll(name);
  if (further.length > 0) throw new OAuthError('invalid_request', `${name} is given more than once.`);
  return value === undefined || value === '' ? null : value;
}

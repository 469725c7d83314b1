import { isLoopback } from '../../network/hosts.ts';
import type { KeySet } from '../../tokens/id-token.ts';
import { fetchJson } from './fetch-json.ts';
import type { Discovered, ProviderReach } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** The description of a provider (OpenID Connect Discovery 1.0) and its keys, which an isolate keeps for ten minutes. */

const KEPT_MS = 10 * 60_000;
/** Keys are read once more for one that is unknown, but for no other one in this time. */
const AGAIN_MS = 30_000;
const MAX_ISSUER = 500;
const MAX_KEYS = 100;

/**
 * The complaint about a text that is not the issuer of one provider, without its subject and its full stop; null if it is.
 * An issuer with a part in braces stands for those of all tenants of a provider, each of which claims what it wants.
 */
export function issuerFaultOf(text: string): string | null {
  if (text.length > MAX_ISSUER) return `must be at most ${MAX_ISSUER} characters long`;
  if (/[{}]|%7[bd]/i.test(text)) return 'must name one tenant, without a part in braces such as {tenantid}';
  const url = URL.parse(text);
  if (url === null || !isSafe(url)) return 'must be a URL that begins with https://';
  const isPlain = url.username === '' && url.password === '' && !/[?#]/.test(text);
  return isPlain ? null : 'must be a URL without a user, a query and a fragment';
}

/** True if what is sent to a URL cannot be read on its way. */
const isSafe = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** Reads the description of a provider. Throws `ProviderError`, and what the guard throws. */
export async function discover(reach: ProviderReach, issuer: string): Promise<Discovered> {
  const known = reach.memory.discovered.get(issuer);
  if (known !== undefined && isFresh(known.at, KEPT_MS)) return known.value;
  const fault = issuerFaultOf(issuer);
  if (fault !== null) throw new ProviderError('misconfigured', `The issuer ${fault}.`);
  const { status, body } = await fetchJson(reach, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (status !== 200) {
    const complaint = `The provider responded with status ${status} instead of describing itself.`;
    throw new ProviderError(status === 404 ? 'misconfigured' : 'unavailable', complaint);
  }
  const value = await readDescription(reach, issuer, body);
  reach.memory.discovered.set(issuer, { value, at: Date.now() });
  return value;
}

async function readDescription(
  { guard }: ProviderReach,
  issuer: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Discovered> {
  // Exactly, so that no provider speaks for another one (section 4.3).
  if (body['issuer'] !== issuer)
    throw new ProviderError('misconfigured', `The provider names another issuer: ${shown(body['issuer'])}.`);
  const urlOf = async (name: string): Promise<string> => {
    const text = body[name];
    const url = typeof text === 'string' ? URL.parse(text) : null;
    if (url === null || !isSafe(url) || !(await guard(url)))
      throw new ProviderError('misconfigured', `The provider’s ${name} is not a URL that this service uses.`);
    return url.href;
  };
  const methods = body['token_endpoint_auth_methods_supported'];
  return {
    issuer,
    authorizationEndpoint: await urlOf('authorization_endpoint'),
    tokenEndpoint: await urlOf('token_endpoint'),
    jwksUri: await urlOf('jwks_uri'),
    userinfoEndpoint: body['userinfo_endpoint'] === undefined ? null : await urlOf('userinfo_endpoint'),
    namesIssuer: body['authorization_response_iss_parameter_supported'] === true,
    takesSecretInBody:
      Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic'),
  };
}

/**
 * The keys of a provider. Throws `ProviderError`, and what the guard throws.
 *
 * @param again true if one was not among those that are kept: they are read anew, unless that was done within half a minute
 */
export async function keysOf(
  reach: ProviderReach,
  { issuer, jwksUri }: Discovered,
  { again = false } = {},
): Promise<KeySet> {
  const known = reach.memory.keys.get(issuer);
  const isKept = known !== undefined && isFresh(known.at, KEPT_MS);
  if (isKept && (!again || isFresh(known.againAt, AGAIN_MS))) return known.value;
  const { status, body } = await fetchJson(reach, jwksUri);
  const { keys } = body;
  if (status !== 200 || !Array.isArray(keys) || keys.length > MAX_KEYS || !keys.every(isObject))
    throw new ProviderError('unavailable', 'The provider’s jwks_uri has no list of keys.');
  const value: KeySet = { keys };
  reach.memory.keys.set(issuer, { value, at: Date.now(), againAt: again ? Date.now() : (known?.againAt ?? 0) });
  return value;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

// A clock that has jumped back must not lengthen it.
function isFresh(at: number, forMs: number): boolean {
  const ageMs = Date.now() - at;
  return ageMs >= 0 && ageMs < forMs;
}

const shown = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200) : 'none');

import { hostnameOf, isLoopback, type Site } from '../../network/hosts.ts';

/** The service as passkeys know it (https://www.w3.org/TR/webauthn-3/#relying-party-identifier). */
export interface RelyingParty {
  /** The exact host, for which passkeys are created: those of other hosts, and of hosts below it, are not asked for. */
  readonly id: string;
  /** The origin of the pages, which browsers sign. */
  readonly origin: string;
}

const LOCAL = 'localhost';

/**
 * The service as passkeys know it at the host of a request; null where none can be used. A passkey is bound to its host for
 * good, so it needs `PUBLIC_URL`, and not the name that a Worker happens to have; and browsers take no address of a machine
 * and no plain http, except `localhost`.
 */
export function relyingPartyOf({ requestUrl, publicUrl }: Site): RelyingParty | null {
  const host = hostnameOf(requestUrl);
  const { origin } = requestUrl;
  if (isLoopback(requestUrl)) return host === LOCAL ? { id: LOCAL, origin } : null;
  const isPublic = publicUrl !== null && requestUrl.protocol === 'https:' && host === hostnameOf(publicUrl);
  return isPublic && isName(host) ? { id: host, origin } : null;
}

// An address of IPv6 is in brackets, and no top-level domain is a number.
const isName = (host: string) => host.includes('.') && !host.endsWith(']') && !/\.\d+$/.test(host);

/** True if a passkey that was created for a host can be used at the service: for its own, or for one before a move. */
export function servesPasskeyOf({ id }: RelyingParty, host: string): boolean {
  return host === id || (id !== LOCAL && host !== LOCAL);
}

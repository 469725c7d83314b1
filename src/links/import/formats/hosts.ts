import { hostnameOf, parseDomainName, type Site } from '../../../network/hosts.ts';
import type { AppError } from '../../../errors.ts';
import { fieldError } from '../../../input/validation.ts';
import { quote } from '../../../text/quote.ts';

/** Where the links of a file go: which hosts the file names, and what the caller says of them. */

/** The custom domain of links, or null for the service's own host. */
type TargetDomain = string | null;

/** The choices of the caller for the hosts in a file. */
export interface HostChoices {
  /** Of all hosts that are not named, and of links without a host; absent if nothing was said. */
  readonly others?: TargetDomain;
  /** By host; '' for links without one. */
  readonly of: ReadonlyMap<string, TargetDomain>;
}

export const NO_CHOICES: HostChoices = { of: new Map() };

/** The most hosts that a caller can name. */
export const MAX_HOST_CHOICES = 20;

/** The word for the service's own host. */
export const SHARED = 'shared';

/**
 * Reads values of `host`: `shared` or a custom domain for all links, `bit.ly:shared` for those of one host, and `:shared`
 * for those without a host. Throws `invalid_host`.
 */
export function readHostChoices(texts: readonly string[]): HostChoices {
  if (texts.length > MAX_HOST_CHOICES) throw invalid(`host must be given at most ${MAX_HOST_CHOICES} times.`);
  const of = new Map<string, TargetDomain>();
  let others: TargetDomain | undefined;
  for (const text of texts) {
    const at = text.lastIndexOf(':');
    const place = placeIn(text.slice(at + 1));
    if (at === -1) {
      if (others !== undefined) throw invalid('host must be given only once without a host before it.');
      others = place;
    } else {
      const from = text.slice(0, at).toLowerCase();
      of.set(parseDomainName(from) ?? from, place);
    }
  }
  return others === undefined ? { of } : { of, others };
}

function placeIn(text: string): TargetDomain {
  if (text === SHARED) return null;
  const domain = parseDomainName(text);
  if (domain !== null) return domain;
  throw invalid(`host must be ${SHARED}, a custom domain, or a host of the file and one of these: bit.ly:${SHARED}.`);
}

function invalid(sentence: string): AppError {
  return fieldError('invalid_host', 'host', sentence);
}

const LONGEST_SHORT_URL = 2048;

/** A short URL of a file. `host` is in lower case, with its port; `slug` is '' if there is none. */
export interface Address {
  readonly host: string | null;
  readonly slug: string;
}

/** Reads a short URL, with or without its scheme, or a path; null if it is neither. */
export function addressOf(text: string): Address | null {
  if (text.length > LONGEST_SHORT_URL) return null;
  const url = text.startsWith('/') ? null : URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  const path = text.startsWith('/') ? text : url?.pathname;
  if (path === undefined || (url && (url.username !== '' || url.password !== ''))) return null;
  const slug = decoded(path.replace(/^\//, '').replace(/\/$/, ''));
  if (slug === null) return null;
  return { host: url === null ? null : url.port === '' ? hostnameOf(url) : url.host, slug };
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * Where a link goes whose file names this host, null for none: a link of another host is never created on the service's
 * own host unless the caller says so.
 *
 * @param isHostNeeded whether the links of the file were on a host that the file does not name
 */
export function placeOf(
  host: string | null,
  { of, others }: HostChoices,
  site: Site,
  isHostNeeded: boolean,
): { readonly place: TargetDomain } | AppError {
  const chosen = of.has(host ?? '') ? of.get(host ?? '') : others;
  if (chosen !== undefined) return { place: chosen !== null && isOwnHost(chosen, site) ? null : chosen };
  if (host === null) return isHostNeeded ? withoutHost() : { place: null };
  if (isOwnHost(host, site)) return { place: null };
  const domain = parseDomainName(host);
  return domain === null ? noDomain(host) : { place: domain };
}

/** True if a host is the service's own. By its port too, since each port of a loopback name is another service. */
export function isOwnHost(host: string, { requestUrl, publicUrl }: Site): boolean {
  const url = URL.parse(`http://${host}`);
  if (url === null) return false;
  return url.host === requestUrl.host || (publicUrl !== null && hostnameOf(url) === hostnameOf(publicUrl));
}

function withoutHost(): AppError {
  return fieldError(
    'unknown_domain',
    'host',
    'The file does not say on which host the link was. Choose one: host=shared, or a custom domain.',
  );
}

function noDomain(host: string): AppError {
  const sentence = `The link was on ${quote(host)}, which cannot be a custom domain. Choose a host for it: host=shared, or a custom domain.`;
  return fieldError('unknown_domain', 'host', sentence);
}

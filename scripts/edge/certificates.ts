import type { Database } from '../../src/database/database.ts';
import { UNCONFIRMED_WRITE } from '../../src/database/outages.ts';
import { openServiceDatabase } from '../../src/database/service-database.ts';
import { openResolver, type Resolver, type TxtAnswer } from '../../src/network/dns.ts';
import type { Config } from '../../src/config/config.ts';
import { mayHaveCertificate } from '../../src/domains/certificates.ts';
import { AppError } from '../../src/errors.ts';
import { hostnameOf, parseDomainName } from '../../src/network/hosts.ts';

/**
 * `GET /.well-known/terse-certificate?domain=HOST`, with which a proxy asks whether to get a certificate for a host: 200 if
 * this service serves the host, 404 if not, and 503 while that is not known. Source:
 * https://caddyserver.com/docs/caddyfile/options#on-demand-tls
 */

export const CERTIFICATE_PATH = '/.well-known/terse-certificate';

// Handshakes for the hosts of pending domains cause look-ups; all others need none.
const MOST_LOOKUPS = 16;
// Longer than a look-up may take. The platform does not end what it drops with the request of a caller that leaves.
const DROPPED_AFTER_MS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** Answers proxies. A response has no data of a client. */
export class CertificateDesk {
  readonly #publicUrl: URL | null;
  readonly #resolve: Resolver;
  /** The look-ups that have no answer yet. */
  readonly #lookups = new Set<{ readonly since: number }>();

  constructor({ publicUrl, dnsResolverUrl }: Pick<Config, 'publicUrl' | 'dnsResolverUrl'>) {
    this.#publicUrl = publicUrl;
    this.#resolve = openResolver(dnsResolverUrl);
  }

  async answer({ method, url }: Request, { DB }: Pick<Env, 'DB'>): Promise<Response> {
    if (method !== 'GET' && method !== 'HEAD') return say(405, 'Ask by GET.', { Allow: 'GET, HEAD' });
    const [domain = '', ...others] = new URL(url).searchParams.getAll('domain');
    const host = others.length > 0 ? null : parseDomainName(domain);
    if (host === null) return say(400, 'The parameter "domain" must be one host name.');
    try {
      const isServed = await this.#isServed(openServiceDatabase(DB, { mayBeDone: UNCONFIRMED_WRITE }), host);
      return isServed ? say(200, 'This host is served.') : say(404, 'This host is not served.');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return say(503, error.message, { 'Retry-After': String(error.retryAfterSeconds ?? RETRY_AFTER_SECONDS) });
    }
  }

  async #isServed(db: Database, host: string): Promise<boolean> {
    const isOwn = this.#publicUrl !== null && host === hostnameOf(this.#publicUrl);
    return isOwn || mayHaveCertificate(db, (name) => this.#lookUp(name), host);
  }

  async #lookUp(name: string): Promise<TxtAnswer> {
    const now = Date.now();
    for (const each of this.#lookups) if (Math.abs(now - each.since) >= DROPPED_AFTER_MS) this.#lookups.delete(each);
    if (this.#lookups.size >= MOST_LOOKUPS) {
      throw new AppError('busy', 'Too many names are looked up at once. Try again in a few seconds.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    const lookup = { since: now };
    this.#lookups.add(lookup);
    try {
      return await this.#resolve(name);
    } finally {
      this.#lookups.delete(lookup);
    }
  }
}

const say = (status: number, sentence: string, headers: Record<string, string> = {}) =>
  new Response(`${sentence}\n`, { status, headers: { 'Cache-Control': 'no-store', ...headers } });

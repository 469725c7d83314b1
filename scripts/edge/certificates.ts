import { openDatabase, type Database } from '../../src/database/database.ts';
import { withOutageErrors } from '../../src/database/service-database.ts';
import { openResolver, type Resolver } from '../../src/dns.ts';
import type { Config } from '../../src/config.ts';
import { mayHaveCertificate } from '../../src/domains/certificates.ts';
import { AppError } from '../../src/errors.ts';
import { hostnameOf, parseDomainName } from '../../src/hosts.ts';

/**
 * `GET /.well-known/terse-certificate?domain=HOST`, with which a proxy asks whether to get a certificate for a host: 200 if
 * this service serves the host, 404 if not, and 503 while that is not known. Source:
 * https://caddyserver.com/docs/caddyfile/options#on-demand-tls
 */

export const CERTIFICATE_PATH = '/.well-known/terse-certificate';

// Each handshake for a host of a pending domain causes a look-up, and waits for it.
const MOST_QUESTIONS = 16;
const RETRY_AFTER_SECONDS = 10;

/** Answers proxies. A response has no data of a client, and only some questions are answered at a time. */
export class CertificateDesk {
  readonly #publicUrl: URL | null;
  readonly #resolve: Resolver;
  #questions = 0;

  constructor({ publicUrl, dnsResolverUrl }: Pick<Config, 'publicUrl' | 'dnsResolverUrl'>) {
    this.#publicUrl = publicUrl;
    this.#resolve = openResolver(dnsResolverUrl);
  }

  async answer({ method, url }: Request, { DB }: Pick<Env, 'DB'>): Promise<Response> {
    if (method !== 'GET' && method !== 'HEAD') return say(405, 'Ask by GET.', { Allow: 'GET, HEAD' });
    const [domain = '', ...others] = new URL(url).searchParams.getAll('domain');
    const host = others.length > 0 ? null : parseDomainName(domain);
    if (host === null) return say(400, 'The parameter "domain" must be one host name.');
    if (this.#questions >= MOST_QUESTIONS) return unknown('Too many questions are asked at once.', RETRY_AFTER_SECONDS);
    this.#questions += 1;
    try {
      const isServed = await this.#isServed(withOutageErrors(openDatabase(DB)), host);
      return isServed ? say(200, 'This host is served.') : say(404, 'This host is not served.');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return unknown(error.message, error.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
    } finally {
      this.#questions -= 1;
    }
  }

  async #isServed(db: Database, host: string): Promise<boolean> {
    const isOwn = this.#publicUrl !== null && host === hostnameOf(this.#publicUrl);
    return isOwn || mayHaveCertificate(db, this.#resolve, host);
  }
}

const unknown = (sentence: string, retryAfterSeconds: number) =>
  say(503, sentence, { 'Retry-After': String(retryAfterSeconds) });

const say = (status: number, sentence: string, headers: Record<string, string> = {}) =>
  new Response(`${sentence}\n`, { status, headers: { 'Cache-Control': 'no-store', ...headers } });

import { authorizeCreator } from '../../accounts/access.ts';
import type { Credential } from '../../accounts/grants.ts';
import { tooManyRequestsUntil } from '../../bounds/rate-limiter.ts';
import { isTimeout, TIMEOUT_MS, withTimeout } from '../../bounds/timeouts.ts';
import type { Database } from '../../database/database.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { resolverUnavailable } from '../../network/dns.ts';
import type { HostWaits } from '../../network/host-waits.ts';
import { hostnameOf, type Site } from '../../network/hosts.ts';
import { faultAt } from '../../targets/destination.ts';
import { locationOf, MAX_REDIRECTS, rulesOf, userAgentOf, webUrlAt } from '../crawl/crawler.ts';
import { toFoundPage, withoutTexts, type FoundPage } from './found.ts';
import { readHead } from './read-head.ts';

/** The outside world of a look-up. */
export interface LookupTools {
  readonly db: Database;
  readonly site: Site;
  /** Refuses a URL before it is requested, with those of redirects. Throws its `AppError`, and what DNS throws. */
  readonly guard: (url: URL) => Promise<void>;
  readonly waits: HostWaits;
}

/**
 * Requests a destination, and returns what its page says of itself. Nothing is stored. Throws `invalid_credential`,
 * `insufficient_scope`, what the guard throws, `destination_unreachable`, `destination_too_slow`, `destination_closed`,
 * and `too_many_requests` if its host asks to wait.
 */
export async function lookUp(tools: LookupTools, credential: Credential, url: URL): Promise<FoundPage> {
  await authorizeCreator(tools.db, credential);
  return new Visit(tools).follow(url);
}

/** All requests of one look-up, which have three seconds together. */
class Visit {
  readonly #tools: LookupTools;
  readonly #userAgent: string;
  readonly #endsAt = Date.now() + TIMEOUT_MS.lookup;
  readonly #signal = AbortSignal.timeout(TIMEOUT_MS.lookup);

  constructor(tools: LookupTools) {
    this.#tools = tools;
    this.#userAgent = userAgentOf(tools.site.publicUrl);
  }

  async follow(start: URL): Promise<FoundPage> {
    let url = start;
    for (let redirects = 0; ; redirects++) {
      await this.#guard(url);
      const response = await this.#getIfOpen(url);
      const location = redirects === MAX_REDIRECTS ? null : locationOf(response);
      const next = location === null ? null : webUrlAt(location, url);
      if (next === null) return this.#read(response, url);
      await response.body?.cancel();
      url = next;
    }
  }

  async #read(response: Response, url: URL): Promise<FoundPage> {
    const { ok, status, headers } = response;
    if (!ok || !IS_HTML.test(headers.get('Content-Type') ?? '')) {
      await response.body?.cancel();
      return withoutTexts(status);
    }
    const head = await readHead(response, this.#signal);
    if (head === null) throw tooSlow();
    return toFoundPage(status, head, url, this.#tools.site);
  }

  async #getIfOpen(url: URL): Promise<Response> {
    this.#refuseWhileClosed(url);
    const isAllowed = await rulesOf(url, async (robots) => {
      const mayRequest = robots.origin === url.origin || (await this.#isAllowed(robots));
      return mayRequest ? this.#get(robots) : null;
    });
    if (!isAllowed(url.pathname + url.search)) throw closed();
    this.#refuseWhileClosed(url);
    const response = await this.#get(url);
    if (response === null) throw unreachable();
    return response;
  }

  /** Null if there is no response. */
  async #get(url: URL): Promise<Response | null> {
    if (this.#signal.aborted) throw tooSlow();
    try {
      const response = await fetch(url, {
        headers: { Accept: 'text/html, */*;q=0.8', 'User-Agent': this.#userAgent },
        redirect: 'manual',
        signal: this.#signal,
      });
      this.#tools.waits.heed(url, response);
      return response;
    } catch {
      if (this.#signal.aborted) throw tooSlow();
      return null;
    }
  }

  #refuseWhileClosed(url: URL): void {
    const until = this.#tools.waits.closedUntil(hostnameOf(url));
    if (until !== null) throw tooManyRequestsUntil(until, 'The host of the url asks to wait. Try again later.');
  }

  async #guard(url: URL): Promise<void> {
    try {
      await withTimeout(Math.max(1, this.#endsAt - Date.now()), this.#tools.guard(url));
    } catch (cause) {
      throw isTimeout(cause) ? resolverUnavailable(cause) : cause;
    }
  }

  async #isAllowed(url: URL): Promise<boolean> {
    try {
      await this.#guard(url);
      return true;
    } catch (cause) {
      if (cause instanceof AppError && cause.status < 500) return false;
      throw cause;
    }
  }
}

const IS_HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

const unreachable = () =>
  refusal('destination_unreachable', 'leads to a server that does not respond. Check the address, or try again later.');

const tooSlow = () =>
  refusal(
    'destination_too_slow',
    `leads to a page that took longer than ${TIMEOUT_MS.lookup / 1000} seconds. Try again, or enter the texts yourself.`,
  );

const closed = () =>
  refusal(
    'destination_closed',
    'leads to a page that robots.txt of its host closes to TerseBot. Enter the texts yourself.',
  );

function refusal(code: ErrorCode, complaint: string): AppError {
  const fault = faultAt('url', complaint);
  return new AppError(code, fault.sentence, { faults: [fault] });
}

import { readStart } from '../../bounds/read-start.ts';
import { TIMEOUT_MS } from '../../bounds/timeouts.ts';
import { hasChallenge, isChallenge } from '../../network/challenges.ts';
import { hostnameOf } from '../../network/hosts.ts';
import type { RobotRules } from '../../network/robots.ts';
import { locationOf, MAX_REDIRECTS, rulesOf, userAgentOf, webUrlAt } from '../crawl/crawler.ts';
import { UNKNOWN, type Finding } from './finding.ts';
import type { HostPace } from './hosts.ts';

/** Why a URL is not requested: it has no address, or for a reason that says nothing about it. */
export type Refusal = 'no_such_name' | 'refused';

/** Decides about each URL before it is requested, with those of redirects; null if it is. Throws what DNS throws. */
export type Guard = (url: URL) => Promise<Refusal | null>;

const MAX_CHALLENGE_BYTES = 64 * 1024;

/** The requests of one check at the most: a stranger's redirects may lead to any number of hosts, each with its rules. */
const MAX_REQUESTS_A_CHECK = 20;

/** The rest of what a check may do. */
interface Allowance {
  requests: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** The URLs that rules allow or close, since GET follows the way of HEAD. */
  readonly isAllowed: Map<string, boolean>;
}

/** Ends a check before its time. */
class EndOfCheck extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super('a check of a destination has stopped before its end');
    this.finding = finding;
  }
}

/** The requests of one pass. */
export class DestinationChecker {
  readonly #guard: Guard;
  readonly #pace: HostPace;
  readonly #userAgent: string;
  readonly #robots = new Map<string, Promise<RobotRules>>();

  /** The number of requests so far, and of the origins that the guard was asked about. */
  requests = 0;
  readonly #origins = new Set<string>();

  /** @param about the page that says what the crawler is, if there is one */
  constructor(guard: Guard, pace: HostPace, about: URL | null) {
    this.#guard = guard;
    this.#pace = pace;
    this.#userAgent = userAgentOf(about);
  }

  get origins(): number {
    return this.#origins.size;
  }

  /**
   * Requests a destination by HEAD, and by GET where that says nothing good: some servers answer only one of them as
   * they should. Throws what the guard throws.
   *
   * @param endsAt after this instant nothing is requested, and the destination is missed
   */
  async check(url: URL, endsAt: number): Promise<Finding> {
    const allowance: Allowance = { requests: MAX_REQUESTS_A_CHECK, endsAt, isAllowed: new Map() };
    try {
      const byHead = await this.#follow('HEAD', url, allowance);
      return byHead.isFinal ? byHead.finding : (await this.#follow('GET', url, allowance)).finding;
    } catch (cause) {
      if (cause instanceof EndOfCheck) return cause.finding;
      throw cause;
    }
  }

  async #follow(method: 'HEAD' | 'GET', start: URL, allowance: Allowance): Promise<Followed> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const refusal = await this.#refusalOf(url);
      if (refusal === 'no_such_name') return final({ kind: 'failed', reason: refusal, status: null });
      if (refusal !== null || !(await this.#mayRequest(url, allowance))) return final(this.#unknownAt(url));
      const response = await this.#request(method, url, allowance);
      if (!(response instanceof Response)) return { finding: response, isFinal: false };
      const location = locationOf(response);
      if (location === null) return await this.#read(method, url, response);
      await response.body?.cancel();
      const next = webUrlAt(location, url);
      // A redirect to an app leads somewhere, and it is not known where.
      if (next === null) return final(UNKNOWN);
      url = next;
    }
    return final(UNKNOWN);
  }

  async #read(method: 'HEAD' | 'GET', url: URL, response: Response): Promise<Followed> {
    const { status } = response;
    const isServerError = status >= 500 && status < 600;
    const isRefusal = isChallenge(response) || (isServerError && method === 'GET' && (await isChallengePage(response)));
    if (!response.bodyUsed) await response.body?.cancel();
    if (status >= 200 && status < 300 && !isRefusal) return final({ kind: 'ok' });
    const isClosed = this.#pace.closedUntil(hostnameOf(url)) !== null;
    if (isRefusal || (isClosed && !isServerError)) return final(this.#unknownAt(url));
    const isFailure = status === 404 || status === 410 || isServerError;
    return { finding: isFailure ? { kind: 'failed', reason: 'status', status } : UNKNOWN, isFinal: isClosed };
  }

  #unknownAt(url: URL): Finding {
    const until = this.#pace.closedUntil(hostnameOf(url));
    return until === null ? UNKNOWN : { kind: 'unknown', until };
  }

  #refusalOf(url: URL): Promise<Refusal | null> {
    this.#origins.add(url.origin);
    return this.#guard(url);
  }

  async #mayRequest(url: URL, allowance: Allowance): Promise<boolean> {
    if (this.#pace.closedUntil(hostnameOf(url)) !== null) return false;
    const isAllowed =
      allowance.isAllowed.get(url.href) ?? (await this.#rulesOf(url, allowance))(url.pathname + url.search);
    allowance.isAllowed.set(url.href, isAllowed);
    return isAllowed && this.#pace.closedUntil(hostnameOf(url)) === null;
  }

  async #rulesOf(url: URL, allowance: Allowance): Promise<RobotRules> {
    const known = this.#robots.get(url.origin);
    const rules = known ?? this.#readRobots(url, allowance);
    this.#robots.set(url.origin, rules);
    try {
      return await rules;
    } catch (cause) {
      // Not to be read by this check says nothing to the next one.
      this.#robots.delete(url.origin);
      throw cause;
    }
  }

  /** The rules of a host, which are in force for this pass. */
  #readRobots(of: URL, allowance: Allowance): Promise<RobotRules> {
    return rulesOf(of, async (url) => {
      if (url.origin !== of.origin && (await this.#refusalOf(url)) !== null) return null;
      const response = await this.#request('GET', url, allowance);
      return response instanceof Response ? response : null;
    });
  }

  /** The response of one URL, whose redirect is not followed, or the failure to get one. Throws `EndOfCheck`. */
  async #request(method: 'HEAD' | 'GET', url: URL, allowance: Allowance): Promise<Response | Finding> {
    if (allowance.requests === 0) throw new EndOfCheck(UNKNOWN);
    await this.#pace.turn(url);
    if (Date.now() >= allowance.endsAt) throw new EndOfCheck({ kind: 'missed' });
    allowance.requests -= 1;
    this.requests += 1;
    try {
      const response = await fetch(url, {
        method,
        headers: { Accept: 'text/html, */*;q=0.8', 'User-Agent': this.#userAgent },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS.destinationCheck),
      });
      this.#pace.heed(url, response);
      return response;
    } catch (cause) {
      const isTls = /\b(?:tls|ssl|certificate)\b/i.test(String(cause));
      return { kind: 'failed', reason: isTls ? 'tls' : 'connection', status: null };
    }
  }
}

/** A finding, and whether another method can find out no more. */
interface Followed {
  readonly finding: Finding;
  readonly isFinal: boolean;
}

const final = (finding: Finding): Followed => ({ finding, isFinal: true });

async function isChallengePage(response: Response): Promise<boolean> {
  return hasChallenge((await readStart(response, MAX_CHALLENGE_BYTES)).toString());
}

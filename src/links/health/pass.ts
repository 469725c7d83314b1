import { forEachConcurrently } from '../../bounds/concurrency-limit.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { logProblem } from '../../isolate/log.ts';
import { DestinationChecker, type Guard } from './check-url.ts';
import { isConnectionFailure, nextState, type Finding } from './finding.ts';
import { HostPace } from './hosts.ts';
import { selectDue, takeHosts, writeChecked, type CheckRow } from './pass-sql.ts';
import { IS_USED } from './sweep-sql.ts';
import { sweepLinks } from './sweep.ts';

/** The outside world of a pass. */
export interface HealthTools {
  readonly guard: Guard;
  /** Throws if this service has no connection. */
  readonly checkConnection: () => Promise<void>;
  /** The page that says what the crawler is; null without one. */
  readonly about: URL | null;
  /** The time between two requests to a host, in milliseconds. */
  readonly paceMs?: number;
}

const PACE_MS = 1000;
/** The time for which a run takes hosts. Its last ones take a minute more, and then the next run may begin. */
const RUN_MS = 3 * 60_000;
/** A round ends after so long: its results are written together, and hosts without a turn come first in the next. */
const ROUND_MS = 60_000;
const DESTINATIONS_A_TURN = 60;
const HOSTS_A_ROUND = 24;
// The platform opens six connections at a time, and the time of a request begins while it waits for one.
const HOSTS_AT_A_TIME = 3;
const MAX_ROUNDS = 8;
/** With two look-ups of each, and a query of each host, fewer than the 1,000 queries that an invocation may send. */
const MAX_ORIGINS = 300;
/** With the look-ups of names, fewer than the 10,000 requests that an invocation may send. */
const MAX_REQUESTS = 4000;
/** So many hosts, more than those that respond, do not fail at once by themselves. */
const OUTAGE_HOSTS = 3;

/**
 * Checks the destinations that are due, as many as a few minutes allow, with one request a second and host. It costs
 * one query while no workspace and no link asks for it. What was not written when a run is interrupted is checked
 * again, after ten minutes. Two runs at a time share the hosts. Throws what the database throws.
 *
 * @param now when the run began
 */
export async function checkDestinations(db: Database, tools: HealthTools, now: number): Promise<void> {
  const [[row]] = await db.batch<[{ readonly is_used: number }]>([IS_USED]);
  if (row?.is_used !== 1) return;
  await sweepLinks(db, now);
  const run = new Run(db, tools);
  for (let round = 0; round < MAX_ROUNDS && Date.now() < now + RUN_MS; round++) {
    if (!(await run.round())) return;
  }
}

/** A destination with the rows of all clients that have it, and what was found. */
interface Found {
  readonly rows: readonly CheckRow[];
  readonly finding: Finding;
}

interface Turn {
  readonly host: string;
  readonly found: readonly Found[];
  readonly unwanted: readonly CheckRow[];
}

class Run {
  readonly #db: Database;
  readonly #pace: HostPace;
  readonly #checker: DestinationChecker;
  readonly #checkConnection: HealthTools['checkConnection'];

  constructor(db: Database, { guard, checkConnection, about, paceMs = PACE_MS }: HealthTools) {
    this.#db = db;
    this.#checkConnection = checkConnection;
    this.#pace = new HostPace(paceMs);
    this.#checker = new DestinationChecker(guard, this.#pace, about);
  }

  /** Takes some hosts and writes what it has found. Returns false if there is no more to do, or not now. */
  async round(): Promise<boolean> {
    const [hosts] = await this.#db.batch<[{ readonly host: string }]>([takeHosts(Date.now(), HOSTS_A_ROUND)]);
    if (hosts.length === 0) return false;
    const endsAt = Date.now() + ROUND_MS;
    const turns: Turn[] = [];
    await forEachConcurrently(hosts, HOSTS_AT_A_TIME, async ({ host }) => turns.push(await this.#turn(host, endsAt)));
    const isOutage = seemsOffline(turns) && (await this.#isOffline());
    const now = Date.now();
    const checked = turns
      .flatMap(({ found }) => found)
      .flatMap(({ rows, finding }) =>
        rows.map((row) => {
          const isMissed = isOutage && isConnectionFailure(finding);
          return { row, ...nextState(stateOf(row), isMissed ? { kind: 'missed' } : finding, now) };
        }),
      );
    const unwanted = turns.flatMap((turn) => turn.unwanted);
    const released = turns.map(({ host, found }) => ({
      host,
      notBeforeAt: this.#pace.closedUntil(host) ?? (found.length === 0 ? 0 : now + PACE_MS),
    }));
    await this.#db.batch(writeChecked({ checked, unwanted, released, now }));
    return !isOutage && this.#hasMore();
  }

  async #turn(host: string, endsAt: number): Promise<Turn> {
    if (Date.now() >= endsAt) return { host, found: [], unwanted: [] };
    const [rows] = await this.#db.batch<[CheckRow]>([selectDue(host, Date.now(), DESTINATIONS_A_TURN)]);
    const unwanted = rows.filter(({ is_wanted: isWanted }) => isWanted === 0);
    const found: Found[] = [];
    const wanted = Map.groupBy(
      rows.filter((row) => row.is_wanted === 1),
      ({ url_hash: hash }) => hash,
    );
    for (const ofUrl of wanted.values()) {
      const isOver = Date.now() >= endsAt || !this.#hasMore();
      if (isOver || this.#pace.closedUntil(host) !== null) break;
      found.push({ rows: ofUrl, finding: await this.#check(ofUrl[0]!.url, endsAt) });
    }
    return { host, found, unwanted };
  }

  async #isOffline(): Promise<boolean> {
    try {
      await this.#checkConnection();
      return false;
    } catch (cause) {
      logProblem('destinations_not_reached', cause);
      return true;
    }
  }

  /** True while the run may ask about further hosts. */
  #hasMore(): boolean {
    return this.#checker.requests < MAX_REQUESTS && this.#checker.origins < MAX_ORIGINS;
  }

  async #check(url: string, endsAt: number): Promise<Finding> {
    try {
      return await this.#checker.check(new URL(url), endsAt);
    } catch (cause) {
      // The resolver does not respond, or the name servers fail: neither is known of the destination. What else fails
      // with one destination must not lose what was found of the others.
      const isKnown = cause instanceof AppError && cause.code === 'resolver_unavailable';
      if (!isKnown) logProblem('destination_not_checked', cause);
      return { kind: 'missed' };
    }
  }
}

/**
 * True if most hosts of a round do not respond, as if this service had no connection. Hosts alone count, since all
 * destinations of one may fail. Failed destinations come again together, so that this is no more than a reason to ask.
 */
function seemsOffline(turns: readonly Turn[]): boolean {
  const asked = turns.filter(({ found }) => found.length > 0);
  const silent = asked.filter(({ found }) => found.every(({ finding }) => isConnectionFailure(finding)));
  return silent.length >= OUTAGE_HOSTS && silent.length * 2 > asked.length;
}

const stateOf = ({ reason, status, failing_since: failingSince, unhealthy_since: unhealthySince }: CheckRow) => ({
  reason,
  status,
  failingSince,
  unhealthySince,
});

import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { forEachConcurrently } from '../bounds/concurrency-limit.ts';
import { logInfo, logProblem } from '../isolate/log.ts';
import { DAY_MS } from '../time/day.ts';
import { isProved, checkProof, type ProofSources } from './check-proof.ts';
import { FAILURES_UNTIL_LOST, type DomainStatus } from './domain.ts';
import { selectDue, updateChecked, type DueRow, type Finding } from './proof-store.ts';

/**
 * The most domains that a run of the cron every five minutes checks: 51,840 a day. Each takes four look-ups, or five if
 * the resolver has to be checked too, so that a run stays below 1,000 requests. An invocation may make 10,000:
 * https://developers.cloudflare.com/workers/platform/limits/
 */
export const MAX_A_RUN = 180;

/** The time for which a run begins checks. The last ones take at most ten seconds more; then the next run may begin. */
const RUN_MS = 4 * 60_000;
// The platform opens six connections at a time, and a check has two.
const AT_A_TIME = 3;
const DOMAINS_PER_WRITE = 100;
// A little less than a day: a check that ended late in its run would else wait for the run after the same one a day later.
const MIN_INTERVAL_MS = DAY_MS - 5 * 60_000;
/** After so many checks for which the resolver did not respond, a run ends. */
const MOST_WITHOUT_RESOLVER = 10;

/**
 * Checks the domains that were verified before and not checked for a day, those with the oldest check first. After three
 * failures in a row a domain is lost; when the proof of a lost domain is back, it is active again. Takes one round trip,
 * and one more for each hundred domains. Domains that are still due when the time is over wait for the next run, and so do
 * those that were not checked because the resolver does not respond: then this throws `resolver_unavailable`, after the
 * results of the others are written.
 *
 * @param now when the run began
 */
export async function checkDomains(db: Database, sources: ProofSources, now: number): Promise<void> {
  const checkedBefore = now - MIN_INTERVAL_MS;
  const [due] = await db.batch<[DueRow]>([selectDue(checkedBefore, MAX_A_RUN)]);
  const run = new Run(sources, now + RUN_MS);
  for (let first = 0; first < due.length && !run.isOver; first += DOMAINS_PER_WRITE) {
    const findings = await run.findAll(due.slice(first, first + DOMAINS_PER_WRITE));
    if (findings.length === 0) continue;
    const rules = { now, checkedBefore, most: FAILURES_UNTIL_LOST };
    const [, checked] = await db.batch<[never, CheckedRow]>(updateChecked(findings, rules));
    for (const { host, status, failures } of checked) {
      if (status === 'lost' && failures === FAILURES_UNTIL_LOST) logInfo('domain_lost', { host });
    }
  }
  if (run.outage !== null) throw run.outage;
}

interface CheckedRow {
  readonly host: string;
  readonly status: DomainStatus;
  readonly failures: number;
}

/** The checks of one run, which ends by the clock, or while the resolver does not respond. */
class Run {
  readonly #sources: ProofSources;
  readonly #endsAt: number;
  #withoutResolver = 0;

  /** The first failure of the resolver that was not about a single domain. */
  outage: unknown = null;

  constructor(sources: ProofSources, endsAt: number) {
    this.#sources = sources;
    this.#endsAt = endsAt;
  }

  get isOver(): boolean {
    return this.#withoutResolver >= MOST_WITHOUT_RESOLVER || Date.now() >= this.#endsAt;
  }

  async findAll(due: readonly DueRow[]): Promise<Finding[]> {
    const findings: Finding[] = [];
    await forEachConcurrently(due, AT_A_TIME, async (row) => {
      if (this.isOver) return;
      const finding = await this.#find(row);
      if (finding) findings.push(finding);
    });
    return findings;
  }

  /** Null while the resolver does not respond, which says nothing about a domain. */
  async #find({ id, host, token }: DueRow): Promise<Finding | null> {
    const { outcome, isInDoubt, error } = await ask(this.#sources, { host, token });
    if (isInDoubt && (await this.#isOutage())) return null;
    if (outcome === 'unknown') {
      logProblem('domain_not_checked', error instanceof AppError ? error.cause : error, { host });
    }
    return { id, token, outcome };
  }

  async #isOutage(): Promise<boolean> {
    try {
      await this.#sources.checkResolver();
      return false;
    } catch (error) {
      this.#withoutResolver += 1;
      this.outage ??= error;
      return true;
    }
  }
}

interface Result {
  readonly outcome: Finding['outcome'];
  /** True if the resolver rather than the domain may have failed. */
  readonly isInDoubt: boolean;
  readonly error?: unknown;
}

async function ask(sources: ProofSources, claim: Pick<DueRow, 'host' | 'token'>): Promise<Result> {
  try {
    const proof = await checkProof(sources, claim);
    return { outcome: isProved(proof) ? 'proved' : 'failed', isInDoubt: proof.dns === 'server_failure' };
  } catch (error) {
    return { outcome: 'unknown', isInDoubt: true, error };
  }
}

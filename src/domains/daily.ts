import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { fewAtATime } from '../few-at-a-time.ts';
import { logInfo, logProblem } from '../log.ts';
import { FAILURES_UNTIL_LOST, type DomainStatus } from './domain.ts';
import { selectDue, updateChecked, type DueRow, type Finding } from './proof-store.ts';
import { isProved, checkProof, type ProofSources } from './check-proof.ts';

// Four look-ups each. With the clean-up that stays below the platform's limit of 1,000 in one invocation, and even if
// all are slow, within its fifteen minutes.
const MAX_A_RUN = 240;
// The platform opens six connections at a time.
const AT_A_TIME = 3;
const DOMAINS_PER_WRITE = 100;
// A cron may run twice, and never at the exact second: no domain is checked twice within this time.
const MIN_INTERVAL_MS = 12 * 3600 * 1000;

/**
 * Checks the domains that were verified before, those with the oldest check first. After three failures in a row a domain
 * is lost; when the proof of a lost domain is back, it is active again. Takes one round trip, and one more for each
 * hundred domains.
 */
export async function checkDomains(db: Database, sources: ProofSources, now: number): Promise<void> {
  const checkedBefore = now - MIN_INTERVAL_MS;
  const [due] = await db.batch<[DueRow]>([selectDue(checkedBefore, MAX_A_RUN)]);
  for (let first = 0; first < due.length; first += DOMAINS_PER_WRITE) {
    const findings = await findAll(sources, due.slice(first, first + DOMAINS_PER_WRITE));
    const rules = { now, checkedBefore, most: FAILURES_UNTIL_LOST };
    const [, checked] = await db.batch<[never, CheckedRow]>(updateChecked(findings, rules));
    for (const { host, status, failures } of checked) {
      if (status === 'lost' && failures === FAILURES_UNTIL_LOST) logInfo('domain_lost', { host });
    }
  }
}

interface CheckedRow {
  readonly host: string;
  readonly status: DomainStatus;
  readonly failures: number;
}

async function findAll(sources: ProofSources, due: readonly DueRow[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  await fewAtATime(due, AT_A_TIME, async (row) => findings.push(await find(sources, row)));
  return findings;
}

async function find(sources: ProofSources, { id, host, token }: DueRow): Promise<Finding> {
  try {
    const proof = await checkProof(sources, { host, token });
    return { id, token, outcome: isProved(proof) ? 'proved' : 'failed' };
  } catch (error) {
    logProblem('domain_not_checked', error instanceof AppError ? error.cause : error, { host });
    return { id, token, outcome: 'unknown' };
  }
}

import { deleteForgottenAnswers } from './accounts/kept-answers.ts';
import { expiredAccountRows } from './accounts/retention.ts';
import { databaseBehind, limitsOf, statisticsBehind } from './app-stores.ts';
import { consumeClicks } from './clicks/consume.ts';
import { ClientMoves, moveFormerDays } from './clicks/former/move.ts';
import { RecentFailures } from './clicks/recent-failures.ts';
import { removeExpiredClickRows } from './clicks/retention.ts';
import { checkDomains } from './domains/daily.ts';
import type { Services } from './http/env.ts';
import { removeExpiredLinks } from './links/retention.ts';
import { logProblem } from './log.ts';
import { continueDeletions } from './workspaces/daily.ts';

/** The work for which no caller waits: the messages of queues, and what is done by the clock. */
export interface Background {
  queue(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void>;
  scheduled(controller: ScheduledController, env: Env): Promise<void>;
}

/** The cron of wrangler.toml for work that cannot wait for the daily one. */
export const FREQUENT_CRON = '*/5 * * * *';

// A cron has 15 minutes.
const MOVE_MS = 8 * 60_000;

/** Opens the background work of an isolate. */
export function openBackground(services: Services): Background {
  const failures = new RecentFailures();
  const moves = new ClientMoves();
  return {
    queue: (batch, env) => {
      const stores = { db: databaseBehind(env, services.watch), statistics: statisticsBehind(env), failures, moves };
      return consumeClicks(stores, batch, services.config.deadLetterQueue);
    },
    async scheduled({ cron }, env) {
      const faults = cron === FREQUENT_CRON ? await runFrequent(services, env) : await runDaily(services, env);
      // So that the platform also counts the run as failed.
      if (faults.length > 0) throw faults[0];
    },
  };
}

// Every five minutes.
async function runFrequent(_services: Services, _env: Env): Promise<readonly unknown[]> {
  return [];
}

async function runDaily(services: Services, env: Env): Promise<readonly unknown[]> {
  const now = Date.now();
  const db = databaseBehind(env, services.watch);
  const sources = { db, statistics: statisticsBehind(env) };
  return [
    ...(await faultsOf('click_clean_up_failed', removeExpiredClickRows(db, now))),
    ...(await faultsOf('clean_up_failed', db.batch([...expiredAccountRows(now), deleteForgottenAnswers(now)]))),
    ...(await faultsOf('link_clean_up_failed', removeExpiredLinks({ ...sources, limits: limitsOf(env) }, now))),
    ...(await faultsOf(
      'deletions_not_continued',
      continueDeletions(
        { ...sources, kv: env.LINKS, limits: limitsOf(env), customHostnames: services.customHostnames },
        now,
      ),
    )),
    ...(await faultsOf('domains_not_checked', checkDomains(db, services.proofSources, now))),
    // Last, since it takes most of the calls that one invocation may make.
    ...(await faultsOf('statistics_not_moved', moveFormerDays(sources, now + MOVE_MS))),
  ];
}

// A failure of one task is logged, and does not keep the others from running.
async function faultsOf(problem: string, work: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await work;
    return [];
  } catch (cause) {
    logProblem(problem, cause);
    return [cause];
  }
}

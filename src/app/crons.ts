import { deleteExpiredResponses } from '../accounts/stored-responses.ts';
import { expiredAccountRows } from '../accounts/retention.ts';
import type { ClickSender } from './click-sender.ts';
import type { Database } from '../database/database.ts';
import type { Core, Services } from '../http/env.ts';
import { healthToolsOf } from './health-tools.ts';
import { servicesOf } from './services.ts';
import { backgroundDatabase, eventQueueOf, limitsOf, backgroundStatistics } from './stores.ts';
import { removeExpiredClickRows } from '../clicks/retention.ts';
import type { ClickSources } from '../clicks/days.ts';
import { checkDomains } from '../domains/daily.ts';
import { removeExcessClicks, removeOldEvents } from '../events/retention.ts';
import { EventNotifier } from '../events/notify.ts';
import { recordExpired } from '../links/events/expired.ts';
import { checkDestinations } from '../links/health/pass.ts';
import { repeatWrites } from '../links/redirect/repeat-writes.ts';
import { removeExpiredLinks } from '../links/retention.ts';
import { logProblem } from '../isolate/log.ts';
import { insertDemandNotices } from '../accounts/factors/demand-notices.ts';
import { insertKeyNotices, noticeNewDevices } from '../accounts/mailed-notices.ts';
import { deleteOldMails } from '../mail/retention-sql.ts';
import { sweepMails } from '../mail/sweep.ts';
import { HOUR_MS } from '../time/day.ts';
import { deleteOldOperatorEntries } from '../operator/operator-log.ts';
import { expectClicksOfAll } from '../webhooks/click-webhooks.ts';
import { sweepDeliveries } from '../webhooks/delivery/sweep.ts';
import { continueDeletions } from '../workspaces/daily.ts';

/** The work of the crons in `wrangler.toml`. */

/** For what cannot wait until the daily clean-up. */
export const FREQUENT_CRON = '*/5 * * * *';
const FREQUENT_MS = 5 * 60_000;

const SENDING_MS = 60_000;

/**
 * Does the work of a cron. Throws the first failure after all else is done, so that the platform counts the run as failed.
 *
 * @param clicks sends the clicks that are kept
 */
export async function runCron(core: Core, clicks: ClickSender, cron: string, env: Env): Promise<void> {
  const services = servicesOf(core);
  const waking = new EventNotifier(() => eventQueueOf(env, null));
  const db = backgroundDatabase(env, services.watch, waking);
  const sources = { db, statistics: backgroundStatistics(env) };
  const [failure] = await (cron === FREQUENT_CRON
    ? frequently(services, clicks, sources, env)
    : daily(services, sources, env));
  await waking.done();
  if (failure !== undefined) throw failure;
}

async function frequently(
  services: Services,
  clicks: ClickSender,
  sources: ClickSources,
  env: Env,
): Promise<readonly unknown[]> {
  const now = Date.now();
  const { db } = sources;
  return [
    ...(await failuresOf('entries_not_written', repeatWrites({ db, kv: env.LINKS }))),
    ...(await failuresOf('kept_clicks_not_sent', clicks.sendKept(env, now + SENDING_MS))),
    ...(await failuresOf('click_webhook_not_expected', expectClicksOfAll(sources, now - 3 * FREQUENT_MS))),
    ...(await failuresOf('expired_links_not_recorded', recordExpired(db, now))),
    ...(await failuresOf('deliveries_not_swept', sweepDeliveries({ db, queue: env.WEBHOOKS }, now))),
    ...(services.config.mail === null
      ? []
      : [
          ...(await failuresOf('sign_ins_not_mailed', noticeNewDevices(db, now))),
          ...(await failuresOf('mails_not_swept', sweepMails({ db, queue: env.WEBHOOKS }, now))),
        ]),
    // More events can come in a day than one run removes.
    ...(await failuresOf('event_clean_up_failed', removeOldEvents(db, now))),
    // It counts all deliveries that are kept.
    ...(now % HOUR_MS < FREQUENT_MS ? await failuresOf('click_events_not_removed', removeExcessClicks(db)) : []),
    // The last two, since they can take minutes.
    ...(await failuresOf('domains_not_checked', checkDomains(db, services.proofSources, now))),
    ...(await failuresOf('destinations_not_checked', checkDestinations(db, healthToolsOf(services, db), Date.now()))),
  ];
}

async function daily(services: Services, sources: ClickSources, env: Env): Promise<readonly unknown[]> {
  const now = Date.now();
  const { db } = sources;
  return [
    ...(await failuresOf('click_webhook_not_expected', expectClicksOfAll(sources, 0))),
    ...(await failuresOf('click_clean_up_failed', removeExpiredClickRows(db, now))),
    ...(await failuresOf(
      'clean_up_failed',
      db.batch([
        ...expiredAccountRows(now),
        deleteExpiredResponses(now),
        deleteOldOperatorEntries(now),
        deleteOldMails(now),
        ...(services.config.mail === null ? [] : [insertKeyNotices(now), ...insertDemandNotices(now)]),
      ]),
    )),
    ...(await failuresOf('members_not_confirmed', confirmPeople(services, db, now))),
    ...(await failuresOf('mail_domains_not_checked', checkMail(services, db, now))),
    ...(await failuresOf('link_clean_up_failed', removeExpiredLinks({ ...sources, limits: limitsOf(env) }, now))),
    ...(await failuresOf(
      'deletions_not_continued',
      continueDeletions(
        { ...sources, kv: env.LINKS, limits: limitsOf(env), customHostnames: services.customHostnames },
        now,
      ),
    )),
  ];
}

// Only these tasks need them.
async function confirmPeople(services: Services, db: Database, now: number): Promise<void> {
  const { confirmMembers, openConfirmation } = await import('./confirm-by-refresh-token.ts');
  await confirmMembers(db, openConfirmation(services, db), now);
}

async function checkMail({ proofSources }: Services, db: Database, now: number): Promise<void> {
  const { checkMailDomains } = await import('./confirm-by-refresh-token.ts');
  await checkMailDomains(db, proofSources.resolve, now);
}

// A failure of one task is logged, and does not keep the others from running.
async function failuresOf(problem: string, work: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await work;
    return [];
  } catch (cause) {
    logProblem(problem, cause);
    return [cause];
  }
}

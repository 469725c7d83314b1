import { DurableObject } from 'cloudflare:workers';
import { logProblem } from '../log.ts';
import { DAY_MS, HOUR_MS } from '../time/day.ts';
import { appendDelivery } from './append.ts';
import { carryDays, countCarried, type CarriedDay } from './carried.ts';
import type { Delivery } from './delivery.ts';
import { FOLD_GROUPS, foldDeliveries, type Pause } from './fold.ts';
import { dayNumberOf } from './gathered.ts';
import { answerByLink, type LinkQuestion } from './link-question.ts';
import { planPurge, purgeLinks } from './purge.ts';
import {
  answer,
  answerTotals,
  answerVisitors,
  type AnsweredDay,
  type AnsweredTotals,
  type Question,
} from './questions.ts';
import { rankLinks, type RankCursor, type RankedBy, type RankedPage } from './ranking.ts';
import { hasRetention, retain } from './retention.ts';
import { upgradeSchema } from './schema.ts';
import { SeenPacks } from './seen.ts';
import type { AnsweredValue } from './sums.ts';

// After a failure. The platform itself gives up an alarm after six.
const RETRY_MS = 60_000;

/**
 * The click statistics of one client, in a database of its own. Deliveries are stored as they come, and folded into packed
 * days by an alarm; questions see both. Every method throws what the storage throws.
 */
export class ClientStatistics extends DurableObject<Env> {
  readonly #seen: SeenPacks;
  /** The groups that are not folded yet. */
  #groups: number;
  /** When the alarm is set for; undefined before it is known. */
  #alarmAt: number | null | undefined;
  /** The work that goes on in the background, of which there is one at a time. */
  #work: Promise<void> | null = null;
  #erasures = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    upgradeSchema(storage);
    this.#seen = new SeenPacks(storage.sql);
    this.#groups = storage.sql
      .exec<{ groups: number }>('SELECT coalesce(sum(groups), 0) AS groups FROM deliveries')
      .one().groups;
    // The platform gives up an alarm after six failures.
    if (this.#groups > 0) void ctx.blockConcurrencyWhile(() => this.#setAlarm(Date.now() + HOUR_MS));
  }

  /** Stores clicks, each pack once however often it is delivered. What is stored is counted by the next question. */
  async append(delivery: Delivery): Promise<void> {
    const now = Date.now();
    this.#groups += appendDelivery(this.ctx.storage, this.#seen, delivery, now);
    if (this.#work === null && this.#groups > 0) await this.#setAlarm(this.#groups < FOLD_GROUPS ? now + HOUR_MS : now);
  }

  /** The clicks of days, broken down and filtered. */
  async ask(question: Question): Promise<AnsweredDay[]> {
    return answer(this.ctx.storage.sql, question, this.#pause());
  }

  /** The clicks of links by id; links without clicks are left out. */
  async totals(ids: readonly string[]): Promise<ReadonlyMap<string, AnsweredTotals>> {
    return answerTotals(this.ctx.storage.sql, ids);
  }

  /**
   * @param day a UTC day, in days since the epoch
   * @param others as in `answerVisitors`
   */
  async visitors(linkId: string, day: number, others = ''): Promise<number> {
    return answerVisitors(this.ctx.storage.sql, linkId, day, others);
  }

  /** The links with clicks, the most clicked or the last clicked first. */
  async rank(by: RankedBy, after: RankCursor | null, limit: number): Promise<RankedPage> {
    return rankLinks(this.ctx.storage.sql, by, after, limit);
  }

  /** The clicks of each link in a range of days, filtered; links without such clicks are left out. */
  async askByLink(question: LinkQuestion): Promise<AnsweredValue[]> {
    return answerByLink(this.ctx.storage.sql, question, this.#pause());
  }

  /** Stores days that were counted in D1, each in the place of its former copy. */
  async carry(days: readonly CarriedDay[]): Promise<void> {
    carryDays(this.ctx.storage, days, dayNumberOf(Date.now()));
  }

  /** How many clicks of the client the carried days have. */
  async carried(): Promise<number> {
    return countCarried(this.ctx.storage.sql);
  }

  /** Removes all that is kept of links, by the alarm: at once, or within the hour if they are clicked meanwhile. */
  async purge(ids: readonly string[]): Promise<void> {
    planPurge(this.ctx.storage.sql, ids);
    if (this.#work === null) await this.#setAlarm(Date.now());
  }

  /** Removes all that is kept of the client. Work and questions that are under way end with an error. */
  async erase(): Promise<void> {
    const { storage } = this.ctx;
    this.#erasures += 1;
    await storage.deleteAlarm();
    await storage.deleteAll();
    upgradeSchema(storage);
    this.#seen.reset();
    [this.#groups, this.#alarmAt] = [0, null];
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#work ??= this.#maintain().finally(() => (this.#work = null));
    await this.#work;
  }

  async #maintain(): Promise<void> {
    const { storage } = this.ctx;
    const [pause, erasures] = [this.#pause(), this.#erasures];
    let isRetained = false;
    const works = [
      () => foldDeliveries(storage, pause),
      () => purgeLinks(storage, pause),
      // Also if there is more to fold: to a client that is clicked all the time, deliveries come during every fold. And also
      // if the fold fails: it makes room in a full database, and visitors' marks are not kept longer.
      async () => void (isRetained = await retain(storage, dayNumberOf(Date.now()), pause)),
    ];
    let hasFailed = false;
    for (const work of works) {
      await work().catch((cause: unknown) => {
        hasFailed = true;
        if (erasures === this.#erasures) logProblem('statistics_work_failed', cause);
      });
      if (erasures !== this.#erasures) break;
    }
    const isErased = erasures !== this.#erasures;
    if (hasFailed && !isErased) return this.#setAlarm(Date.now() + RETRY_MS);
    const { groups, at } = storage.sql
      .exec<{ groups: number; at: number | null }>(
        'SELECT coalesce(sum(groups), 0) AS groups, min(at) AS at FROM deliveries',
      )
      .one();
    this.#groups = groups;
    if (groups >= FOLD_GROUPS || (!isRetained && !isErased)) await this.#setAlarm(Date.now());
    // A clock that was ahead has left a time to come.
    else if (at !== null) await this.#setAlarm(Math.min(at, Date.now()) + HOUR_MS);
    else if (hasRetention(storage.sql)) await this.#setAlarm(nextDay(Date.now()));
  }

  /** Lets other events in, between two slices of work. What was read before an erasure must not be written after it. */
  #pause(): Pause {
    const erasures = this.#erasures;
    return async () => {
      await scheduler.wait(0);
      if (erasures !== this.#erasures) throw new Error('the statistics were erased');
    };
  }

  // Each call writes a row, so that an alarm that is early enough stays.
  async #setAlarm(at: number): Promise<void> {
    if (this.#alarmAt === undefined) this.#alarmAt = await this.ctx.storage.getAlarm();
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    await this.ctx.storage.setAlarm(at);
    this.#alarmAt = at;
  }
}

// The first hour is not that of midnight, when many objects would wake at once.
function nextDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS + Math.floor(Math.random() * 4 * HOUR_MS);
}

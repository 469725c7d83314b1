import { logProblem } from '../isolate/log.ts';
import { RETRY_MS } from './alarm.ts';
import { CountingStatistics } from './append/counting.ts';
import { expectUnknownWebhooks } from './append/direct.ts';
import type { ExportedPage, ExportCursor, Section } from './backup/export.ts';
import { KEPT_MS } from './live/feed.ts';
import { Waiting, type Pause } from './days/fold-deliveries.ts';
import { dayNumberOf } from './questions/subject-clicks.ts';
import { endLoading, hasWork, loadRows, markLoading } from './backup/load.ts';
import { planPurge } from './purge.ts';
import { renameClicks } from './renames.ts';
import { STATISTICS_SCHEMA, upgradeSchema } from './schema.ts';
import { jobsOf, nextWork } from './background-jobs.ts';

/**
 * The click statistics of one client, in a database of its own. Deliveries are stored as they come, and folded into packed
 * days by an alarm; questions see both. Every method throws what the storage throws.
 */
export class ClientStatistics extends CountingStatistics {
  /** For how long deliveries are not folded, in milliseconds. */
  protected readonly keptMs: number = KEPT_MS;
  readonly #detailDays: number;
  readonly #isExported = (): boolean => this.exports.waitUntil(Date.now()) !== null;
  /** True if an alarm came during a backup. */
  #hasWaited = false;

  /** @param detailDays for how many days facts are kept at least; for ever where the setting is not known */
  constructor(ctx: DurableObjectState, env: Env, detailDays = Number.POSITIVE_INFINITY) {
    super(ctx, env);
    this.#detailDays = detailDays;
  }

  /** Renames a campaign, as `renameClicks`. Refused during a backup and a restore. */
  async renameCampaign(former: string, name: string): Promise<boolean> {
    this.refuseClosed();
    if (this.#isExported()) throw new Waiting('a backup is under way');
    return renameClicks(this.ctx.storage, former, name, Date.now());
  }

  /** Removes all that is kept of links, by the alarm: at once, or within the hour if they are clicked meanwhile. */
  async purge(ids: readonly string[]): Promise<void> {
    this.refuseClosed();
    planPurge(this.ctx.storage.sql, ids);
    if (this.work === null) await this.timer.set(Date.now());
  }

  /** Removes all that is kept of the client. Work, questions and backups that are under way end with an error. */
  async erase(): Promise<void> {
    await this.#empty();
    upgradeSchema(this.ctx.storage);
    expectUnknownWebhooks(this.ctx.storage.sql, Date.now());
    this.appends.reopen();
    this.isClosed = false;
  }

  /** A page of a backup, as in `Exports`, the first one without a place. `over` means that it has to begin again. */
  async exportPage(place: ExportCursor | null): Promise<ExportedPage | 'over' | 'loading'> {
    if (this.isClosed) return 'loading';
    const page = this.exports.read(place, Date.now());
    if (this.#hasWaited && !this.#isExported()) await this.timer.set(Date.now());
    return page ?? 'over';
  }

  /** Removes all that is kept, and takes rows of a backup from now on, but no clicks. False if its tables are newer. */
  async beginLoad(schema: number): Promise<boolean> {
    if (schema > STATISTICS_SCHEMA) return false;
    await this.#empty();
    markLoading(this.ctx.storage, schema);
    return true;
  }

  /** Stores rows of a backup. Returns why they were refused, or null. */
  async load(sections: readonly Section[]): Promise<string | null> {
    return this.isClosed ? loadRows(this.ctx.storage, sections) : 'No restore of these statistics has begun.';
  }

  /** Counts clicks again, after the last rows of a backup. */
  async endLoad(): Promise<void> {
    if (!this.isClosed) return;
    endLoading(this.ctx.storage);
    this.isClosed = false;
    this.appends.reopen();
    if (hasWork(this.ctx.storage.sql)) await this.timer.set(this.appends.backlog.foldAt(Date.now()));
  }

  override async alarm(): Promise<void> {
    this.timer.hasCome();
    if (this.isClosed) return;
    if (this.#isExported()) return this.#waitForBackup();
    this.#hasWaited = false;
    await (this.work ??= this.#maintain().finally(() => (this.work = null)));
  }

  async #maintain(): Promise<void> {
    const { erasures } = this;
    const pause = this.#pause(() => this.#isExported());
    let [hasFailed, isDone] = [false, true];
    const retention = { today: dayNumberOf(Date.now()), detailDays: this.#detailDays };
    for (const work of jobsOf(this.ctx.storage, retention, pause, this.keptMs)) {
      try {
        isDone = (await work()) && isDone;
      } catch (cause) {
        hasFailed = true;
        if (erasures === this.erasures && !(cause instanceof Waiting)) logProblem('statistics_work_failed', cause);
      }
      if (erasures !== this.erasures) break;
      if (this.#isExported()) return this.#waitForBackup();
    }
    const isErased = erasures !== this.erasures;
    if (hasFailed && !isErased) return this.timer.set(Date.now() + RETRY_MS);
    const next = nextWork(this.ctx.storage.sql, this.appends.backlog, isDone || isErased);
    if (next !== null) await this.timer.set(next);
  }

  /**
   * Lets other events in, between two slices of work. What was read before an erasure must not be written after it.
   *
   * @param mustWait whether the work has to stop here, and continue later
   */
  #pause(mustWait = () => false): Pause {
    const { erasures } = this;
    return async () => {
      await scheduler.wait(0);
      this.checkErasure(erasures);
      if (mustWait()) throw new Waiting('a backup is under way');
    };
  }

  /** Work that an alarm began continues after the backup: what each slice has done is stored with it. */
  async #waitForBackup(): Promise<void> {
    this.#hasWaited = true;
    await this.timer.set(Date.now());
  }

  async #empty(): Promise<void> {
    this.erasures += 1;
    this.isClosed = true;
    this.exports.end();
    this.feed.end();
    await this.timer.remove();
    await this.ctx.storage.deleteAll();
  }
}

import { Alarm } from '../alarm.ts';
import { Exports } from '../backup/export.ts';
import { AskedStatistics } from '../questions/asked.ts';
import { openSchema } from '../schema.ts';
import { Appends } from './appends.ts';
import type { Delivery } from './delivery.ts';
import type { Offered } from './direct.ts';

/** The part of an object that stores clicks as they come. */
export class CountingStatistics extends AskedStatistics {
  /** True if it is being erased, or a backup is being restored into it: then it takes no clicks. */
  protected isClosed: boolean;
  protected readonly exports: Exports;
  protected readonly timer: Alarm;
  protected readonly appends: Appends;
  /** The work that continues in the background; there is one at a time. */
  protected work: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.isClosed = openSchema(ctx.storage);
    this.exports = new Exports(ctx.storage.sql);
    this.timer = new Alarm(ctx.storage, () => this.exports.waitUntil(Date.now()) ?? 0);
    this.appends = new Appends(ctx.storage);
    const { backlog } = this.appends;
    // The platform gives up an alarm after six failures.
    if (!backlog.isEmpty) void ctx.blockConcurrencyWhile(() => this.timer.set(backlog.foldAt(Date.now())));
  }

  /**
   * Stores clicks, each pack once however often it is delivered. What is stored is counted by the next question. Returns
   * whether the client may have webhooks for clicks, as `ClickWebhooks` knows it.
   */
  async append(delivery: Delivery): Promise<{ readonly mayHaveWebhooks: boolean }> {
    const now = Date.now();
    this.refuseClosed();
    const { backlog, webhooks } = this.appends;
    const { groups, isOther } = this.appends.store(delivery, now);
    this.feed.publish(delivery, groups, now, isOther);
    if (this.work === null && !backlog.isEmpty) await this.timer.set(backlog.foldAt(now));
    return { mayHaveWebhooks: webhooks.mayExist };
  }

  /**
   * Stores clicks that come without the queue, like `append`; not if the client may have webhooks for clicks, since an
   * isolate that ended after this call would lose their events, and not if there were many appends in the last seconds.
   *
   * @param isNeverBusy whether many are stored all the same
   */
  async offer(delivery: Delivery, isNeverBusy = false): Promise<Offered> {
    this.refuseClosed();
    if (this.appends.webhooks.mayExist) return { isStored: false, isBusy: false };
    const isBusy = () => !isNeverBusy && this.appends.isBusy(Date.now());
    if (isBusy()) return { isStored: false, isBusy: true };
    await this.append(delivery);
    return { isStored: true, isBusy: isBusy() };
  }

  /** To be called before a webhook for clicks is written: from then on no clicks are taken without the queue. */
  async expectClickWebhook(): Promise<void> {
    this.appends.webhooks.expect(Date.now());
  }

  /** Takes clicks without the queue from now on, as `ClickWebhooks.exclude`. */
  async excludeClickWebhooks(readAt: number): Promise<void> {
    this.refuseClosed();
    this.appends.webhooks.exclude(readAt);
  }

  /** Does nothing: an object is placed near its first caller. */
  async touch(): Promise<void> {}

  protected readonly refuseClosed = (): void => {
    if (this.isClosed) throw new Error('the statistics are being erased, or are being restored from a backup');
  };
}

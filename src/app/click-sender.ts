import { ClickHooks } from '../clicks/events/hooks.ts';
import type { ClickGroup } from '../clicks/groups.ts';
import { QueuedClients } from '../clicks/queued-clients.ts';
import { DailySalts } from '../clicks/salts.ts';
import { lostByThisIsolate, sendClicks, sendKeptPack, type ClickStores } from '../clicks/send.ts';
import { openServiceDatabase, serveDatabase } from '../database/service-database.ts';
import { EventNotifier } from '../events/notify.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import { openStatistics } from '../statistics/statistics.ts';
import type { Core } from '../http/env.ts';
import { eventQueueOf } from './stores.ts';

/** Sends the clicks of an isolate, loaded with the first of them. */
export class ClickSender {
  /** Shared with the consumer of the isolate. */
  readonly hooks = new ClickHooks();
  readonly #salts = new DailySalts();
  readonly #queuedClients = new QueuedClients();
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The clicks that this isolate has lost since it began. */
  get lost(): number {
    return lostByThisIsolate();
  }

  send(env: Env, gathered: readonly ClickGroup[]): Promise<void> {
    return this.#withStores(env, (stores) => sendClicks(stores, gathered));
  }

  /** Sends the packs that are kept, until an instant. */
  sendKept(env: Env, until: number): Promise<void> {
    return this.#withStores(env, async (stores) => {
      const { sendKept } = await import('../clicks/send-kept.ts');
      const db = serveDatabase(stores.db, { timeoutMs: TIMEOUT_MS.backgroundDatabase });
      await sendKept(db, (pack) => sendKeptPack(stores, pack), until);
    });
  }

  async #withStores(env: Env, work: (stores: ClickStores) => Promise<void>): Promise<void> {
    const { config, watch } = this.#core;
    const waking = new EventNotifier(() => eventQueueOf(env, null));
    await work({
      queue: env.CLICKS,
      // Opened when they are used, since most clicks use one of them, or the queue alone.
      get db() {
        return openServiceDatabase(env.DB, { watch, onResults: waking.onResults });
      },
      get statistics() {
        return openStatistics(env.STATISTICS, TIMEOUT_MS.clicks);
      },
      failures: null,
      hooks: this.hooks,
      salts: this.#salts,
      queuedClients: this.#queuedClients,
      isQueueLast: config.clicksDirect,
    });
    await waking.done();
  }
}

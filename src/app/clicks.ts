import { eventQueueOf } from './stores.ts';
import { ClickBuffer, type Defer } from '../clicks/buffer.ts';
import type { Click } from '../clicks/click.ts';
import type { ClickHooks } from '../clicks/events/hooks.ts';
import { ClientMoves } from '../clicks/former/move.ts';
import { clicksOf, type ClickGroup } from '../clicks/groups.ts';
import { QueuedClients } from '../clicks/queued-clients.ts';
import { sendKept } from '../clicks/kept-packs.ts';
import { DailySalts } from '../clicks/salts.ts';
import { lostByThisIsolate, sendClicks, sendKeptPack, type ClickStores } from '../clicks/send.ts';
import { serveDatabase, openServiceDatabase } from '../database/service-database.ts';
import { EventNotifier } from '../events/notify.ts';
import type { Services } from '../http/env.ts';
import { openStatistics } from '../statistics/statistics.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import type { WorkUnderWay } from './work-under-way.ts';

/** The work that was left after `drain`. */
export interface Drained {
  /** The clicks that could not be stored since it began, or not yet. */
  readonly lostClicks: number;
}

/** The clicks of an isolate, from the redirect until they are stored or in the queue. */
export class IsolateClicks {
  /** Shared with the consumer of the isolate. */
  readonly moves = new ClientMoves();
  readonly #buffer: ClickBuffer;
  readonly #salts = new DailySalts();
  readonly #queuedClients = new QueuedClients();
  readonly #services: Services;
  readonly #hooks: ClickHooks;
  readonly #underWay: WorkUnderWay;

  constructor(services: Services, hooks: ClickHooks, underWay: WorkUnderWay) {
    [this.#services, this.#hooks, this.#underWay] = [services, hooks, underWay];
    this.#buffer = new ClickBuffer(services.config.clickPackSeconds * 1000);
  }

  add(click: Click, env: Env, defer: Defer): void {
    this.#buffer.add(click, this.#send(env), defer);
  }

  /**
   * Sends the clicks that have gathered, and waits until they are stored, and for all other work under way; at most so many
   * milliseconds. Clicks that come during it are sent too.
   */
  async drain(env: Env, withinMs: number): Promise<Drained> {
    const lostBefore = lostByThisIsolate();
    const until = Date.now() + withinMs;
    do void this.#buffer.flush(this.#send(env));
    while ((await this.#underWay.done(until - Date.now())) && !this.#buffer.isEmpty);
    return { lostClicks: lostByThisIsolate() - lostBefore + this.#underWay.clicks };
  }

  /** Sends the packs that are kept, until an instant. */
  sendKept(env: Env, until: number): Promise<void> {
    return this.#withStores(env, (stores) => {
      const db = serveDatabase(stores.db, { timeoutMs: TIMEOUT_MS.backgroundDatabase });
      return sendKept(db, (pack) => sendKeptPack(stores, pack), until);
    });
  }

  #send(env: Env): (gathered: readonly ClickGroup[]) => Promise<void> {
    return (gathered) => {
      const work = this.#withStores(env, (stores) => sendClicks(stores, gathered));
      return this.#underWay.track(work, clicksOf(gathered));
    };
  }

  async #withStores(env: Env, work: (stores: ClickStores) => Promise<void>): Promise<void> {
    const { config, watch } = this.#services;
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
      hooks: this.#hooks,
      salts: this.#salts,
      moves: this.moves,
      queuedClients: this.#queuedClients,
      isQueueLast: config.clicksDirect,
    });
    await waking.done();
  }
}

import type { Storage } from '../schema.ts';
import { appendDelivery, type Appended } from './append.ts';
import { Backlog } from './backlog.ts';
import type { Delivery } from './delivery.ts';
import { AppendRate, ClickWebhooks } from './direct.ts';
import { readLastHour } from './last-hour.ts';
import { SeenPacks } from './seen.ts';

/** The memory of an object for its appends. It reads the deliveries of the last hour when it wakes. */
export class Appends {
  readonly #storage: Storage;
  readonly #rate = new AppendRate();
  #seen!: SeenPacks;
  /** The deliveries that are not folded yet. */
  backlog!: Backlog;
  /** The mark that the client may have webhooks for clicks, whose events need the queue. */
  webhooks!: ClickWebhooks;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.reopen();
  }

  /** Reads again what is stored, as after the tables were emptied or replaced. */
  reopen(): void {
    const { sql } = this.#storage;
    const lastHour = readLastHour(sql, Date.now());
    this.#seen = new SeenPacks(sql, lastHour);
    this.backlog = new Backlog(sql, lastHour);
    this.webhooks = new ClickWebhooks(sql);
  }

  /** Stores a delivery, as `appendDelivery`. */
  store(delivery: Delivery, now: number): Appended {
    const appended = appendDelivery(this.#storage, this.#seen, delivery, now);
    this.backlog.add(appended.rows, appended.size);
    this.#rate.note(now);
    return appended;
  }

  /** True if there were many appends in the last seconds. */
  isBusy(now: number): boolean {
    return this.#rate.isBusy(now);
  }
}

import { DurableObject } from 'cloudflare:workers';
import { DAY_MS } from '../time/day.ts';
import { leftOf, newestOf, type Limit, type Period, type RemovedLimit, type Taken } from './limit.ts';
import { Places } from './places.ts';

// No isolate still redirects by an older edit after that time.
const FORGET_MS = DAY_MS;

/** The part of a limit that a backup has. */
export type Count = Pick<Period, 'since' | 'taken'>;

/** A visitor of a caller that knows this limit. */
export interface Visit extends Limit {
  /** Without spaces. */
  readonly id: string;
}

/**
 * The limit of one link, in a database of its own: it counts the visitors who are redirected, and lets no more of them
 * through than the newest edit that it knows allows. Every method throws what the storage throws. An object of a link
 * without a limit stores nothing.
 */
export class LinkLimit extends DurableObject<Env> {
  #places: Places;
  /** The next transaction, which stores what has come until then. */
  #storing: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#places = new Places(ctx.storage, Date.now());
  }

  /**
   * Takes a place for a visitor. A caller with an older limit gets what the newest one allows; if that was removed, as much
   * as its own allows. A visit keeps its id when it is asked again, and takes one place.
   */
  async take({ id, ...limit }: Visit): Promise<Taken> {
    const taken = this.#places.take(id, limit, Date.now());
    await this.#stored();
    return taken;
  }

  /** The number of visitors who can still be redirected; takes nothing. */
  async left(limit: Limit): Promise<number> {
    return leftOf(newestOf(this.#places.period, limit), limit);
  }

  /** Notes an edit of the limit, so that it holds at once for callers that do not know it yet. */
  async set(edit: Limit | RemovedLimit): Promise<void> {
    this.#places.set(edit);
    await this.#stored();
    const isKept = this.#places.period?.revision === edit.revision;
    if (isKept && edit.max === null) await this.ctx.storage.setAlarm(Date.now() + FORGET_MS);
  }

  /** Removes all that is kept of the link. */
  async remove(): Promise<void> {
    const { storage } = this.ctx;
    await storage.deleteAlarm();
    await storage.deleteAll();
    this.#places = new Places(storage, Date.now());
  }

  /** The count for a backup; null if the object stores nothing. */
  async count(): Promise<Count | null> {
    const { period } = this.#places;
    return period && { since: period.since, taken: period.taken };
  }

  /**
   * Replaces all that is kept by the count of a backup. An isolate may still know an edit from after that backup, so what
   * the callers before now say is a limit for them alone.
   */
  async load(count: Count | null): Promise<void> {
    await this.remove();
    if (count !== null) this.#places.load({ ...count, max: null, revision: Date.now() });
    await this.#stored();
  }

  /** Comes a day after the limit was removed. */
  override async alarm(): Promise<void> {
    if (this.#places.period?.max === null) await this.remove();
  }

  /** Waits until all that is in memory is stored: an answer may depend on visits that came just before. */
  async #stored(): Promise<void> {
    if (!this.#places.isStored) await (this.#storing ??= this.#store());
  }

  /** Stores what comes until the next event in one transaction, since each takes some milliseconds. */
  async #store(): Promise<void> {
    await scheduler.wait(0);
    this.#storing = null;
    try {
      this.#places.store();
    } catch (cause) {
      this.#places = new Places(this.ctx.storage, Date.now());
      throw cause;
    }
  }
}

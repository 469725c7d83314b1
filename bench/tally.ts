import { setTimeout } from 'node:timers/promises';
import { countedClicks, type Service } from './contestant.ts';
import type { Stream } from './load.ts';

/** The number of redirects that a service has counted, among those that it has sent. */
export interface Counted {
  readonly answered: number;
  /** Requests that the load aborted at the end of a leg: each may have been answered and counted. */
  readonly abandonedAtMost: number;
  readonly counted: number;
  readonly isExact: boolean;
}

const LOOK_MS = 1000;
const MAX_LOOKS = 40;

/** Counts the answered redirects, to compare them with the counts of the services. */
export class Tally {
  readonly #services: readonly Service[];
  readonly #stillLooks: number;
  #answered = 0;
  #abandonedAtMost = 0;

  /** @param batchSeconds how long the queues of the services wait for a batch */
  constructor(services: readonly Service[], batchSeconds: number) {
    this.#services = services;
    // Longer than the queue waits.
    this.#stillLooks = batchSeconds + 2;
  }

  /** Records the answers of one contestant. */
  add(origin: string, { connections, status }: Pick<Stream, 'connections' | 'status'>, served: number): void {
    if (status !== 302 || !this.#services.some((service) => service.origin === origin)) return;
    this.#answered += served;
    this.#abandonedAtMost += connections;
  }

  /** Waits until the counts stop changing, and compares. */
  async compare(): Promise<Counted> {
    let counted = await this.#count();
    for (let still = 0, looks = 0; still < this.#stillLooks && looks < MAX_LOOKS; looks++) {
      await setTimeout(LOOK_MS);
      const now = await this.#count();
      still = now === counted && now >= this.#answered ? still + 1 : 0;
      counted = now;
    }
    const [served, abandonedAtMost] = [this.#answered, this.#abandonedAtMost];
    const isExact = counted >= served && counted <= served + abandonedAtMost;
    return { answered: served, abandonedAtMost, counted, isExact };
  }

  async #count(): Promise<number> {
    const counts = await Promise.all(this.#services.map(countedClicks));
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

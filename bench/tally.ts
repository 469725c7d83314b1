import { setTimeout } from 'node:timers/promises';
import { countedClicks, type Service } from './contestant.ts';
import type { Stream } from './load.ts';

/** What a service counted of the redirects it answered. */
export interface Counted {
  readonly answered: number;
  /** Requests that the load gave up at the end of a leg: each may have been answered, and then counts. */
  readonly abandonedAtMost: number;
  readonly counted: number;
  readonly isExact: boolean;
}

const LOOK_MS = 1000;
const MAX_LOOKS = 30;

/** Keeps count of what was answered with a redirect, to compare it with what the services counted. */
export class Tally {
  readonly #services: readonly Service[];
  #answered = 0;
  #abandonedAtMost = 0;

  constructor(services: readonly Service[]) {
    this.#services = services;
  }

  /** RecentlySeen what one of the contestants answered. */
  add(origin: string, { connections, status }: Pick<Stream, 'connections' | 'status'>, answered: number): void {
    if (status !== 302 || !this.#services.some((service) => service.origin === origin)) return;
    this.#answered += answered;
    this.#abandonedAtMost += connections;
  }

  /** Waits until the counts do not move any more, and compares. */
  async compare(): Promise<Counted> {
    let counted = await this.#count();
    for (let still = 0, looks = 0; still < 3 && looks < MAX_LOOKS; looks++) {
      await setTimeout(LOOK_MS);
      const now = await this.#count();
      still = now === counted && now >= this.#answered ? still + 1 : 0;
      counted = now;
    }
    const [answered, abandonedAtMost] = [this.#answered, this.#abandonedAtMost];
    const isExact = counted >= answered && counted <= answered + abandonedAtMost;
    return { answered, abandonedAtMost, counted, isExact };
  }

  async #count(): Promise<number> {
    const counts = await Promise.all(this.#services.map(countedClicks));
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

import { ClickBuffer, type Defer } from '../clicks/buffer.ts';
import type { Click } from '../clicks/click.ts';
import { clicksOf, type ClickGroup } from '../clicks/groups.ts';
import { Later } from '../isolate/later.ts';
import { logProblem } from '../isolate/log.ts';
import type { Core } from '../http/env.ts';
import type { WorkUnderWay } from './work-under-way.ts';

/** The work that was left after `drain`. */
export interface Drained {
  /** The clicks that could not be stored since it began, or not yet. */
  readonly lostClicks: number;
}

/** The clicks of an isolate, from the redirect until they are stored or in the queue. */
export class IsolateClicks {
  /** The sender of these clicks, which the first one loads after its response. */
  readonly sender: Later<InstanceType<typeof import('./click-sender.ts').ClickSender>>;
  readonly #buffer: ClickBuffer;
  readonly #underWay: WorkUnderWay;
  #unsent = 0;

  constructor(core: Core, underWay: WorkUnderWay) {
    this.#underWay = underWay;
    this.#buffer = new ClickBuffer(core.config.clickPackSeconds * 1000);
    this.sender = new Later(async () => new (await import('./click-sender.ts')).ClickSender(core));
  }

  add(click: Click, env: Env, defer: Defer): void {
    this.#buffer.add(click, this.#send(env), defer);
  }

  /**
   * Sends the clicks that have gathered, and waits until they are stored, and for all other work under way; at most so many
   * milliseconds. Clicks that come during it are sent too.
   */
  async drain(env: Env, withinMs: number): Promise<Drained> {
    const lostBefore = this.#lost;
    const until = Date.now() + withinMs;
    do void this.#buffer.flush(this.#send(env));
    while ((await this.#underWay.done(until - Date.now())) && !this.#buffer.isEmpty);
    return { lostClicks: this.#lost - lostBefore + this.#underWay.clicks };
  }

  get #lost(): number {
    return this.#unsent + (this.sender.loaded?.lost ?? 0);
  }

  #send(env: Env): (gathered: readonly ClickGroup[]) => Promise<void> {
    return (gathered) => {
      const clicks = clicksOf(gathered);
      return this.#underWay.track(this.#loadAndSend(env, gathered, clicks), clicks);
    };
  }

  async #loadAndSend(env: Env, gathered: readonly ClickGroup[], clicks: number): Promise<void> {
    let { loaded: sender } = this.sender;
    if (sender === undefined) {
      // The response is sent first: to load what sends clicks takes some milliseconds.
      await scheduler.wait(0);
      try {
        sender = await this.sender.load();
      } catch (cause) {
        this.#unsent += clicks;
        return logProblem('clicks_lost', cause, { clicks });
      }
    }
    await sender.send(env, gathered);
  }
}

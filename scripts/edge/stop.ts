import { readPack } from '../../src/clicks/read-pack.ts';
import worker from '../../src/index.ts';
import { refuse } from '../../src/redirect/refusal.ts';
import type { QueuedClicks } from './queued-clicks.ts';
import { stoppingError } from './stopping-error.ts';

// Together less than the time that the process waits for them.
const REQUESTS_MS = 1500;
const STORE_MS = 4500;
const POLL_MS = 20;
// An object that has failed is called again after five seconds at the earliest (`RecentFailures`).
const ATTEMPT_MS = 1400;

/** The work that a stop could not finish. */
export interface StopReport {
  /** The clicks that are not stored. */
  readonly lostClicks: number;
  /** The requests that had no response yet. */
  readonly openRequests: number;
}

/** The end of the Worker of `npm start`: it takes no further requests, and stores what is under way. */
export class Stop {
  readonly #queued: QueuedClicks;
  readonly #storeMs: number;
  #isStopping = false;
  #requests = 0;

  /** @param storeMs for how long clicks are stored at most, in milliseconds */
  constructor(queued: QueuedClicks, storeMs = STORE_MS) {
    [this.#queued, this.#storeMs] = [queued, storeMs];
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Responds to a request: with 503 once the service is stopping. */
  async answer(request: Request, respond: () => Response | Promise<Response>): Promise<Response> {
    if (this.#isStopping) return refuse(request, stoppingError(), null, { isFailure: false });
    this.#requests += 1;
    try {
      return await respond();
    } finally {
      this.#requests -= 1;
    }
  }

  /** Takes a batch of a queue. While the service stops, webhooks wait for the next start, which finds them by their rows. */
  async consume(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
    if (this.#isStopping && batch.messages.every(({ body }) => readPack(body) === null)) return batch.retryAll();
    return worker.queue(this.#queued.watch(batch), this.#queued.over(env), ctx);
  }

  /** Resolves when all is stored, or when its time is over. */
  async run(env: Env, ctx: ExecutionContext): Promise<StopReport> {
    this.#isStopping = true;
    const requestsUntil = Date.now() + REQUESTS_MS;
    while (this.#requests > 0 && Date.now() < requestsUntil) await scheduler.wait(POLL_MS);
    let isDrained = false;
    const draining = worker.drain(this.#queued.over(env), this.#storeMs).finally(() => (isDrained = true));
    await this.#deliverQueued(env, ctx, () => isDrained);
    const { lostClicks } = await draining;
    return { lostClicks: lostClicks + this.#queued.clicks, openRequests: this.#requests };
  }

  // What cannot be stored directly goes to the queue meanwhile.
  async #deliverQueued(env: Env, ctx: ExecutionContext, isDrained: () => boolean): Promise<void> {
    const consume = (batch: MessageBatch) => worker.queue(batch, this.#queued.over(env), ctx);
    const until = Date.now() + this.#storeMs;
    let nextAt = 0;
    while (Date.now() < until && !(isDrained() && this.#queued.isEmpty)) {
      if (!this.#queued.isEmpty && Date.now() >= nextAt) {
        nextAt = Date.now() + ATTEMPT_MS;
        // An object that does not respond must not hold up the report.
        await Promise.race([this.#queued.deliver(CLICK_QUEUE, consume), scheduler.wait(until - Date.now())]);
      }
      await scheduler.wait(POLL_MS);
    }
  }
}

// Any name but those of the queue of webhooks and of the dead letters.
const CLICK_QUEUE = 'clicks';

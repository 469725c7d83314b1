import { TIMEOUT_MS } from '../../bounds/timeouts.ts';

/** After how many slices a question is costly: some 50 ms. */
const CHEAP_SLICES = 3;
/** The most costly questions of a client at a time. One of them is computed, the others wait. */
export const MAX_COSTLY = 16;
/** The most questions of a client at a time. */
export const MAX_ASKED = 100;

/** The message of the error by which a question is refused, and the sentence for its caller. */
export const TOO_MANY_QUESTIONS = 'Too many click statistics are requested at once. Try again in a few seconds.';

/**
 * A stream without content. It ends when the request that opened it has ended, so that an object that gets it learns that
 * its caller has left: the platform says so in no other way.
 */
export type Caller = ReadableStream<Uint8Array>;

/** A question that is being answered. */
interface Turn {
  /** When it ends if there is no result, in milliseconds since the epoch. */
  readonly untilMs: number;
  slices: number;
  /** Why it must end. */
  fault: Error | null;
  /** Continues, or ends if there is a fault; null while it does not wait. */
  wake: (() => void) | null;
}

/**
 * The turns of the questions of a client. Between two slices of any questions everything else is let in. Cheap questions
 * take turns, and costly ones are answered one after the other, since each would otherwise take as long as all together;
 * while both wait, every second slice is of a costly one.
 */
export class Turns {
  readonly #cheap: Turn[] = [];
  /** In the order in which they became costly. */
  readonly #costly: Turn[] = [];
  #asked = 0;
  #isServing = false;
  #wasCheap = false;

  /**
   * Waits for the turns of a question, and does its work. Throws `TOO_MANY_QUESTIONS`, and an error once its caller has
   * left or stopped to wait.
   *
   * @param caller undefined from a Worker of the version before
   * @param work gets what it has to call between two slices
   */
  async take<Result>(
    caller: Caller | undefined,
    work: (pause: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    if (this.#asked >= MAX_ASKED) throw new Error(TOO_MANY_QUESTIONS);
    this.#asked += 1;
    const turn: Turn = { untilMs: Date.now() + TIMEOUT_MS.statistics, slices: 0, fault: null, wake: null };
    const reader = caller?.getReader();
    const leave = () => {
      turn.fault = new Error('the caller has left');
      turn.wake?.();
    };
    reader?.read().then(leave, leave);
    try {
      return await work(() => this.#pause(turn));
    } finally {
      reader?.cancel().catch(() => undefined);
      this.#asked -= 1;
      remove(this.#cheap, turn);
      remove(this.#costly, turn);
    }
  }

  /** True if there is no question. */
  get isIdle(): boolean {
    return this.#asked === 0;
  }

  async #pause(turn: Turn): Promise<void> {
    turn.slices += 1;
    if (turn.slices === CHEAP_SLICES && this.#costly.length >= MAX_COSTLY) throw new Error(TOO_MANY_QUESTIONS);
    if (turn.slices === CHEAP_SLICES) this.#costly.push(turn);
    if (turn.slices < CHEAP_SLICES) this.#cheap.push(turn);
    const waiting = new Promise<void>((wake) => (turn.wake = wake));
    if (!this.#isServing) void this.#serve();
    await waiting;
    turn.wake = null;
    if (turn.fault !== null) throw turn.fault;
    if (Date.now() >= turn.untilMs) throw new Error('the caller no longer waits');
  }

  /** Wakes the questions that wait, one after the other. A slice is over before the next timer. */
  async #serve(): Promise<void> {
    this.#isServing = true;
    for (;;) {
      await scheduler.wait(0);
      const next = this.#next();
      if (next === undefined) break;
      next.wake?.();
    }
    this.#isServing = false;
  }

  #next(): Turn | undefined {
    const [first] = this.#costly;
    this.#wasCheap = this.#cheap.length > 0 && !(this.#wasCheap && first !== undefined);
    return this.#wasCheap ? this.#cheap.shift() : first;
  }
}

function remove(turns: Turn[], turn: Turn): void {
  const index = turns.indexOf(turn);
  if (index !== -1) turns.splice(index, 1);
}

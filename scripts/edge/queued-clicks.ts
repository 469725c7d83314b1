import { countClicks } from '../../src/clicks/pack.ts';
import { readPack, type Pack } from '../../src/clicks/read-pack.ts';

// As many as the queue of clicks delivers at once.
const BATCH_MESSAGES = 100;

/** Hands a batch to the consumer of clicks. */
type Consume = (batch: MessageBatch) => Promise<void>;

/**
 * The packs of clicks that are in Miniflare's queues, which keep them in memory: they are lost when the process ends, and
 * cannot be read from there.
 */
export class QueuedClicks {
  readonly #packs = new Map<string, Pack>();
  readonly #watched = new WeakMap<Env, Env>();

  /** At most so many clicks are queued: of a pack for several clients some may be counted. */
  get clicks(): number {
    return [...this.#packs.values()].reduce((sum, { groups }) => sum + countClicks(groups), 0);
  }

  get isEmpty(): boolean {
    return this.#packs.size === 0;
  }

  /** The given bindings, with a queue of clicks whose packs are known here. */
  over(env: Env): Env {
    const known = this.#watched.get(env);
    if (known !== undefined) return known;
    const send: Queue['send'] = async (body, options) => {
      const pack = body as Pack;
      // Before, since the queue may deliver it before it has answered.
      this.#packs.set(pack.id, pack);
      try {
        return await env.CLICKS.send(pack, options);
      } catch (cause) {
        this.#packs.delete(pack.id);
        throw cause;
      }
    };
    const watched = { ...env, CLICKS: { send } as Queue };
    this.#watched.set(env, watched);
    return watched;
  }

  /** The given batch, whose packs are forgotten once they are acknowledged. */
  watch({ queue, messages, metadata, ...batch }: MessageBatch): MessageBatch {
    return {
      queue,
      metadata,
      ackAll: () => batch.ackAll(),
      retryAll: (options) => batch.retryAll(options),
      messages: messages.map((message) => this.#watchMessage(message)),
    };
  }

  /** Delivers all packs at once. Those that cannot be counted stay. */
  async deliver(queue: string, consume: Consume): Promise<void> {
    const packs = [...this.#packs.values()];
    for (let index = 0; index < packs.length; index += BATCH_MESSAGES) {
      const messages = packs.slice(index, index + BATCH_MESSAGES).map((pack) => this.#messageOf(pack));
      const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
      await consume({ queue, messages, metadata, ackAll: () => {}, retryAll: () => {} });
    }
  }

  #watchMessage(message: Message): Message {
    const { id, timestamp, body, attempts } = message;
    const ack = () => {
      this.#packs.delete(readPack(body)?.id ?? '');
      message.ack();
    };
    return { id, timestamp, body, attempts, ack, retry: (options) => message.retry(options) };
  }

  #messageOf(pack: Pack): Message {
    const ack = () => void this.#packs.delete(pack.id);
    return { id: pack.id, timestamp: new Date(pack.at), body: pack, attempts: 1, ack, retry: () => {} };
  }
}

import type { Statement } from '../database/database.ts';

/** A delivery as its row says. */
interface RecordedDelivery {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly next_try_at: number;
}

/** The records of a batch for the queue. */
export interface Recorded {
  /**
   * The ids of events without deliveries yet. A removal of a domain or an edit of many links records 2,000.
   */
  readonly events: readonly string[];
  readonly deliveries: readonly RecordedDelivery[];
}

/**
 * The queue whose consumer turns events into deliveries, and attempts those. Messages have only ids; the rows have the rest.
 */
export interface EventQueue {
  send(recorded: Recorded): Promise<void>;
}

/** For what records no events, or has no queue: the sweep of waiting events finds them. */
export const NO_QUEUE: EventQueue = { send: async () => {} };

/**
 * Sends the events and deliveries that a batch has recorded to the queue. Nothing waits for that. If a message is lost, the
 * sweep dispatches its events.
 *
 * @param openQueue called if there is something to send
 * @param defer keeps the Worker alive until the work is done; it must not reject
 */
export const notifyQueue =
  (openQueue: () => EventQueue, defer: (work: Promise<void>) => void) =>
  (statements: readonly Statement[], results: readonly (readonly unknown[])[]): void => {
    const rowsOf = <Row>(kind: 'returnsEvents' | 'returnsDeliveries') =>
      statements.flatMap((statement, index) => (statement[kind] ? ((results[index] ?? []) as readonly Row[]) : []));
    const events = rowsOf<{ readonly id: string }>('returnsEvents').map(({ id }) => id);
    const deliveries = rowsOf<RecordedDelivery>('returnsDeliveries');
    if (events.length + deliveries.length > 0)
      defer(
        openQueue()
          .send({ events, deliveries })
          .catch(() => {}),
      );
  };

/** Sends what work without a request has recorded to the queue, and lets the work wait for that at its end. */
export class EventNotifier {
  /** As `notifyQueue` returns it. */
  readonly onResults: ReturnType<typeof notifyQueue>;
  readonly #sent: Promise<void>[] = [];

  constructor(openQueue: () => EventQueue) {
    this.onResults = notifyQueue(openQueue, (work) => this.#sent.push(work));
  }

  /** Resolves when all is sent; it does not reject. */
  async done(): Promise<void> {
    await Promise.all(this.#sent);
  }
}

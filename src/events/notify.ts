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
  /** The ids of mails. */
  readonly mails: readonly string[];
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
 * Sends the events, deliveries and mails that a batch has recorded to the queue. If the message is lost, the sweeps find
 * them.
 *
 * @param statements those of the batch
 * @param results for each of them, its rows
 * @returns when that is done; it does not reject
 */
export async function notifyQueue(
  queue: EventQueue,
  statements: readonly Statement[],
  results: readonly (readonly unknown[])[],
): Promise<void> {
  const rowsOf = <Row>(kind: 'returnsEvents' | 'returnsDeliveries' | 'returnsMails') =>
    statements.flatMap((statement, index) => (statement[kind] ? ((results[index] ?? []) as readonly Row[]) : []));
  const events = rowsOf<{ readonly id: string }>('returnsEvents').map(({ id }) => id);
  const mails = rowsOf<{ readonly id: string }>('returnsMails').map(({ id }) => id);
  await queue.send({ events, mails, deliveries: rowsOf<RecordedDelivery>('returnsDeliveries') }).catch(() => {});
}

/** Sends what work without a request has recorded to the queue, and lets the work wait for that at its end. */
export class EventNotifier {
  /** As in `ServiceOptions`. */
  readonly onResults: (statements: readonly Statement[], results: readonly (readonly unknown[])[]) => void;
  readonly #sent: Promise<void>[] = [];

  /** @param openQueue called if there is something to send */
  constructor(openQueue: () => EventQueue) {
    this.onResults = (statements, results) => this.#sent.push(notifyQueue(openQueue(), statements, results));
  }

  /** Resolves when all is sent; it does not reject. */
  async done(): Promise<void> {
    await Promise.all(this.#sent);
  }
}

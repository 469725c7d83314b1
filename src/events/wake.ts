import type { Database, Results, Statement } from '../database.ts';

/** The queue whose consumer turns recorded events into deliveries. Messages have only their ids; the rows have the rest. */
export interface EventQueue {
  /** Takes up to 2,000 ids, as a domain's removal or an edit of many links records them. */
  send(ids: readonly string[]): Promise<void>;
}

/** For what records no events, or has no queue: the sweep of waiting events finds them. */
export const NO_QUEUE: EventQueue = { send: async () => {} };

/**
 * The same database, which after each batch sends the ids of the events that it has recorded to the queue. Nothing waits
 * for that. A lost message delays its events until the sweep.
 *
 * @param defer keeps the Worker alive until the work is done; it must not reject
 */
export function withEvents(db: Database, queue: EventQueue, defer: (work: Promise<void>) => void): Database {
  const wake = (statements: readonly Statement[], results: readonly (readonly unknown[])[]) => {
    const ids = statements.flatMap(({ returnsEvents }, index) => (returnsEvents ? idsOf(results[index]) : []));
    if (ids.length > 0) defer(queue.send(ids).catch(() => {}));
  };
  return {
    first: (statement) => db.first<never>(statement),
    batch: async <Rows extends readonly unknown[]>(statements: readonly Statement[]): Promise<Results<Rows>> => {
      const results = await db.batch<Rows>(statements);
      wake(statements, results);
      return results;
    },
  };
}

/** What was sent to the queue by work that has no request, and waits for it at its end. */
export class Waking {
  readonly #queue: EventQueue;
  readonly #sent: Promise<void>[] = [];

  constructor(queue: EventQueue) {
    this.#queue = queue;
  }

  /** The same database, as `withEvents` returns it. */
  over(db: Database): Database {
    return withEvents(db, this.#queue, (work) => this.#sent.push(work));
  }

  /** Resolves when all is sent; it does not reject. */
  async done(): Promise<void> {
    await Promise.all(this.#sent);
  }
}

const idsOf = (rows: readonly unknown[] = []) => (rows as readonly { readonly id: string }[]).map(({ id }) => id);

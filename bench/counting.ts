import worker from '../src/index.ts';
import { NO_COUNTS, queueOperations, type Counts } from './counted.ts';

// The classes of its Durable Objects.
export * from '../src/index.ts';

/** Terse with wrapped stores, so that every use of them is counted, including those of its consumer. */

const TAKE_PATH = '/.bench/take';
let counts: Counts = { ...NO_COUNTS };

export default {
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== TAKE_PATH) return worker.fetch(request, counting(env), ctx);
    const taken = counts;
    counts = { ...NO_COUNTS };
    return Response.json(taken);
  },
  async queue(batch, env) {
    count({ consumerRuns: 1 });
    await worker.queue(batch, counting(env));
  },
} satisfies ExportedHandler<Env>;

function count(more: Partial<Counts>): void {
  for (const [name, number] of Object.entries(more)) counts[name as keyof Counts] += number;
}

// Has only the methods that are counted, so that any other use fails and is noticed.
function counting(env: Env): Env {
  const kv = {
    get(key: string, options: KVNamespaceGetOptions<'text'>) {
      count({ kvReads: 1 });
      return env.LINKS.get(key, options);
    },
    put(key: string, value: string, options: KVNamespacePutOptions) {
      count({ kvWrites: 1 });
      return env.LINKS.put(key, value, options);
    },
    delete(key: string) {
      count({ kvWrites: 1 });
      return env.LINKS.delete(key);
    },
  };
  const queue = {
    send(message: unknown, options: QueueSendOptions) {
      const bytes = new TextEncoder().encode(JSON.stringify(message)).length;
      count({ messages: 1, messageBytes: bytes, queueOperations: queueOperations(bytes) });
      return env.CLICKS.send(message, options);
    },
  };
  return {
    ...env,
    DB: countingDatabase(env.DB) as unknown as D1Database,
    LINKS: kv as unknown as KVNamespace,
    CLICKS: queue as unknown as Queue,
  };
}

const REAL = Symbol('the statement that is wrapped');

interface Wrapped {
  readonly [REAL]: D1PreparedStatement;
}

function addRows<Row>(result: D1Result<Row>): D1Result<Row> {
  count({ queries: 1, rowsRead: result.meta.rows_read, rowsWritten: result.meta.rows_written });
  return result;
}

function countingDatabase(db: D1Database) {
  return {
    ...countingQueries(db),
    withSession: (constraint: D1SessionConstraint) => countingQueries(db.withSession(constraint)),
  };
}

function countingQueries(db: Pick<D1Database, 'prepare' | 'batch'>) {
  const wrap = (real: D1PreparedStatement) => {
    const all = async () => {
      count({ roundTrips: 1 });
      return addRows(await real.all());
    };
    return {
      [REAL]: real,
      bind: (...values: unknown[]) => wrap(real.bind(...values)),
      all,
      run: all,
      // D1's own method also reads only the first of all rows, and does not report their number.
      first: async () => (await all()).results[0] ?? null,
    };
  };
  return {
    prepare: (sql: string) => wrap(db.prepare(sql)),
    async batch(statements: readonly Wrapped[]) {
      count({ roundTrips: 1 });
      const results = await db.batch(statements.map((statement) => statement[REAL]));
      return results.map(addRows);
    },
  };
}

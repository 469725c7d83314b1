import worker from '../src/index.ts';
import type { DeliveredLink, Delivery } from '../src/statistics/append/delivery.ts';
import { DAY_MS, HOUR_MS } from '../src/time/day.ts';
import { NO_COUNTS, queueOperations, type Counts } from './click-counts.ts';
import { CountedStatistics, takeObjectUse } from './metered-object.ts';

export { LinkLimit } from '../src/link-limit/object.ts';
export { CountedStatistics as ClientStatistics };

/** Terse with wrapped stores, so that every use of them is counted, including those of its consumer and its objects. */

const HOURS_A_DAY = 24;

type Objects = DurableObjectNamespace<CountedStatistics>;
let counts: Counts = { ...NO_COUNTS };

/** The tasks that the bench requests, by path. */
const TASKS: Readonly<Record<string, (object: DurableObjectStub<CountedStatistics>, body: never) => Promise<unknown>>> =
  {
    /** The use since the last call. */
    '/.bench/take': async () => take(),
    /** Stores a click for each link and hour of today, each in a delivery of its own, as if it had come alone. */
    '/.bench/fill': async (object, clicks: readonly { readonly link: DeliveredLink; readonly hour: number }[]) => {
      for (const { link, hour } of clicks) await object.append(deliveryOf(link, hour));
    },
    '/.bench/retain': (object) => object.retainAll(),
    '/.bench/fold': (object) => object.foldAll(),
  };

export default {
  async fetch(request, env, ctx) {
    const url = new URL(request.url);
    const task = TASKS[url.pathname];
    if (task === undefined) return worker.fetch(request, counting(env), ctx);
    const objects = env.STATISTICS as unknown as Objects;
    const object = objects.getByName(url.searchParams.get('client') ?? '');
    return Response.json((await task(object, (await request.json()) as never)) ?? {});
  },
  async queue(batch, env, ctx) {
    count({ consumerRuns: 1 });
    await worker.queue(batch, counting(env), ctx);
  },
} satisfies ExportedHandler<Env>;

function take(): Counts {
  const { alarms, rowsRead, rowsWritten, milliseconds } = takeObjectUse();
  count({
    objectRequests: alarms,
    objectRowsRead: rowsRead,
    objectRowsWritten: rowsWritten,
    objectMilliseconds: milliseconds,
  });
  const taken = counts;
  counts = { ...NO_COUNTS };
  return taken;
}

function deliveryOf(link: DeliveredLink, hourOfDay: number): Delivery {
  const now = Date.now();
  const hour = Math.floor(now / DAY_MS) * HOURS_A_DAY + hourOfDay;
  return {
    packs: [[crypto.randomUUID(), now]],
    links: [link],
    profiles: [[hour, 'human', null, 'news.example', 'Firefox', 'Linux', 'desktop', 'en', null]],
    groups: [[0, 0, 0, 1, hour * HOUR_MS, crypto.randomUUID().slice(-8)]],
  };
}

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
  const statistics = {
    // The Worker gets an object anew for each call.
    getByName(name: string) {
      count({ objectRequests: 1 });
      return env.STATISTICS.getByName(name);
    },
  };
  return {
    ...env,
    DB: countingDatabase(env.DB) as unknown as D1Database,
    LINKS: kv as unknown as KVNamespace,
    CLICKS: queue as unknown as Queue,
    STATISTICS: statistics as unknown as Env['STATISTICS'],
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

import worker from '../../src/index.ts';

export { ClientStatistics, LinkLimit } from '../../src/index.ts';

/** Terse with a store that fails from `POST /.bench/fault?store=…` until `POST /.bench/fault`. */

const SLOW_MS = 3000;
const refuse = async (): Promise<never> => {
  throw new Error('D1_ERROR: attempt to write a readonly database: SQLITE_READONLY');
};
const WRITE = /\b(?:INSERT|UPDATE|DELETE)\b/;

const fail = async (): Promise<never> => {
  throw new Error('the store fails for a drill');
};
const failing = (): object => new Proxy({}, { get: () => fail });

/** The bindings that replace those of the Worker. */
const FAULTS = {
  kv: () => ({ LINKS: failing() }),
  kv_slow: ({ LINKS }) => ({
    LINKS: new Proxy(LINKS, {
      get: (kv, name) => async (key: string, value: never, options: never) => {
        await scheduler.wait(SLOW_MS);
        return kv[name as 'put'](key, value, options);
      },
    }),
  }),
  d1: () => ({ DB: failingDatabase }),
  d1_read_only: ({ DB }) => ({ DB: readOnly(DB) }),
  kv_and_d1: () => ({ LINKS: failing(), DB: failingDatabase }),
  queue: () => ({ CLICKS: failing() }),
  statistics: () => ({ STATISTICS: { getByName: failing } }),
} satisfies Readonly<Record<string, (env: Env) => object>>;

export type FaultName = keyof typeof FAULTS;

let fault: FaultName | null = null;
const withFault = (env: Env): Env => (fault === null ? env : { ...env, ...(FAULTS[fault](env) as Partial<Env>) });

export default {
  async fetch(request, env, ctx) {
    if (!request.url.includes('/.bench/')) return worker.fetch(request, withFault(env), ctx);
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/.bench/fault') fault = searchParams.get('store') as FaultName | null;
    // Clicks that the database has kept are sent by the cron of every five minutes.
    else await worker.scheduled({ cron: '*/5 * * * *', scheduledTime: Date.now(), noRetry: () => undefined }, env);
    return new Response();
  },
  queue: (batch, env, ctx) => worker.queue(batch, withFault(env), ctx),
} satisfies ExportedHandler<Env>;

const statement = { bind: () => statement, first: fail, all: fail, run: fail, raw: fail };
const failingDatabase = { prepare: () => statement, batch: fail, withSession: () => failingDatabase };

interface Wrapped {
  readonly sql: string;
  readonly real: D1PreparedStatement;
}

function readOnly(db: Pick<D1Database, 'prepare' | 'batch'> & Partial<Pick<D1Database, 'withSession'>>): object {
  const wrap = (sql: string, real: D1PreparedStatement): object => ({
    sql,
    real,
    bind: (...values: unknown[]) => wrap(sql, real.bind(...values)),
    first: () => (WRITE.test(sql) ? refuse() : real.first()),
  });
  return {
    prepare: (sql: string) => wrap(sql, db.prepare(sql)),
    batch: (statements: readonly Wrapped[]) =>
      statements.some(({ sql }) => WRITE.test(sql)) ? refuse() : db.batch(statements.map(({ real }) => real)),
    withSession: (constraint: D1SessionConstraint) => readOnly(db.withSession!(constraint)),
  };
}

import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { deferredWorkEnds } from './deferred.ts';

/** The objects on which queries of D1 can be watched and replaced. */

/** The prototype of all sessions of D1. `env.DB.batch` comes through its `batch` too. */
export const D1_SESSION = Object.getPrototypeOf(env.DB.withSession()) as D1DatabaseSession;

type Batch = (this: D1DatabaseSession, statements: D1PreparedStatement[]) => Promise<D1Result<never>[]>;

/** Its `batch` as it was before a test replaced it. */
export const D1_BATCH: Batch = Reflect.get(D1_SESSION, 'batch');

/** True if a replica may respond to a session: the binding's own session, of another class, asks the primary. */
export const asksNearest = (session: D1DatabaseSession): boolean => Object.getPrototypeOf(session) === D1_SESSION;

/** The prototype of all prepared statements. */
export const D1_STATEMENT = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as D1PreparedStatement;

/** Replaces every query of the Worker, with or without a session, until `vi.restoreAllMocks`. */
export function replaceD1(call: () => Promise<never>): void {
  vi.spyOn(env.DB, 'batch').mockImplementation(call);
  vi.spyOn(D1_SESSION, 'batch').mockImplementation(call);
  vi.spyOn(D1_STATEMENT, 'first').mockImplementation(call);
}

/** Makes every query of the Worker fail, until `vi.restoreAllMocks`. */
export function failD1(): void {
  replaceD1(async () => {
    throw new Error('D1_ERROR: Network connection lost.');
  });
}

/** The round trips since `countQueries`, until `vi.restoreAllMocks`. */
interface Queries {
  /** Round trips to the primary alone. */
  readonly primary: number;
  /** Round trips to the nearest copy. */
  readonly nearest: number;
}

/** Counts from now on. What earlier requests have deferred is waited for, since it would count too. */
export async function countQueries(): Promise<() => Queries> {
  await deferredWorkEnds();
  const batch = vi.spyOn(env.DB, 'batch');
  const sessions = vi.spyOn(D1_SESSION, 'batch');
  const single = (['first', 'all', 'run', 'raw'] as const).map((method) => vi.spyOn(D1_STATEMENT, method));
  const count = () => ({
    primary: batch.mock.calls.length + single.reduce((sum, spy) => sum + spy.mock.calls.length, 0),
    nearest: (sessions.mock.contexts as D1DatabaseSession[]).filter(asksNearest).length,
  });
  const before = count();
  return () => {
    const { primary, nearest } = count();
    return { primary: primary - before.primary, nearest: nearest - before.nearest };
  };
}

const WRITE = /\b(?:INSERT|UPDATE|DELETE)\b/;

/** Refuses every query of the Worker that writes, until `vi.restoreAllMocks`; those that read are answered. */
export function refuseWrites(refuse: () => Promise<never>): void {
  const isWrite = (statement: D1PreparedStatement) => WRITE.test(Reflect.get(statement, 'statement'));
  const first = Reflect.get(D1_STATEMENT, 'first') as unknown as (this: D1PreparedStatement) => Promise<never>;
  vi.spyOn(D1_SESSION, 'batch').mockImplementation(async function (this: D1DatabaseSession, statements) {
    return statements.some(isWrite) ? refuse() : D1_BATCH.call(this, statements);
  });
  vi.spyOn(D1_STATEMENT, 'first').mockImplementation(async function (this: D1PreparedStatement) {
    return isWrite(this) ? refuse() : first.call(this);
  });
}

import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import * as z from 'zod';
import type { Statement } from '../src/database/database.ts';

/**
 * The Worker that `openLocalD1` needs. Miniflare's own access from Node waits for workerd three times for each statement,
 * and blocks Node meanwhile.
 */
export const LOCAL_D1_WORKER = join(import.meta.dirname, 'local-d1-worker.mjs');

const outcomes = z.union([z.object({ rows: z.array(z.array(z.unknown())) }), z.object({ fault: z.string() })]);

/** The D1 of a Miniflare that runs `LOCAL_D1_WORKER`, as far as `openDatabase` uses it: one request to workerd a batch. */
export function openLocalD1(miniflare: Pick<Miniflare, 'dispatchFetch'>): D1Database {
  const run = async (statements: readonly Statement[]): Promise<readonly unknown[][]> => {
    const response = await miniflare.dispatchFetch('http://d1/', { method: 'POST', body: JSON.stringify(statements) });
    const outcome = outcomes.parse(await response.json());
    if ('fault' in outcome) throw new Error(outcome.fault);
    return outcome.rows;
  };
  const statementOf = (statement: Statement) => ({
    ...statement,
    bind: (...params: Statement['params']) => statementOf({ ...statement, params }),
    first: async () => (await run([statement]))[0]?.[0] ?? null,
  });
  return {
    prepare: (sql: string) => statementOf({ sql, params: [] }),
    batch: async (statements: readonly Statement[]) => (await run(statements)).map((results) => ({ results })),
  } as never;
}

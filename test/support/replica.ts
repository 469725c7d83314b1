import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { asksNearest, D1_BATCH, D1_SESSION } from './d1.ts';
import { seedLink, seedTenant } from './seed.ts';
import { openIsolate, type Call } from './service.ts';

/** Replicas of D1; a local run has none. */

/** A statement of D1, as workerd keeps it. */
interface SentQuery {
  readonly statement: string;
  readonly params: readonly unknown[];
}

/** Answers for the nearest copy of the database, until `vi.restoreAllMocks`. The primary answers as before. */
export function answerNearest(
  answer: (queries: readonly SentQuery[], ask: () => Promise<D1Result<never>[]>) => Promise<D1Result<never>[]>,
): void {
  vi.spyOn(D1_SESSION, 'batch').mockImplementation(async function (this: D1DatabaseSession, statements) {
    const ask = () => D1_BATCH.call(this, statements);
    return asksNearest(this) ? answer(statements as unknown as readonly SentQuery[], ask) : ask();
  });
}

/**
 * From now on the nearest copy is a replica that stands still: it knows the first answer to each query and learns
 * nothing later. Returns the batches that it got, as the SQL of their statements.
 */
export function openReplica(): (readonly string[])[] {
  const asked: (readonly string[])[] = [];
  const known = new Map<string, D1Result<never>[]>();
  answerNearest(async (queries, ask) => {
    asked.push(queries.map(({ statement }) => statement));
    const key = JSON.stringify(queries.map(({ statement, params }) => [statement, params]));
    const results = known.get(key) ?? (await ask());
    known.set(key, results);
    return results.map((result) => ({ ...result, meta: { ...result.meta, served_by_primary: false } }));
  });
  return asked;
}

/** The destination of the seeded link. */
export const OLD = 'https://example.com/old';

/** A link that a replica knows as it is, and the batches that the replica gets from now on. */
export async function seedReplicated(change?: string) {
  const link = await seedLink(await seedTenant(), { url: OLD });
  if (change !== undefined) await updateLink(link.id, change);
  const asked = openReplica();
  await responseSummary(openIsolate({ MEMORY_SECONDS: '0' }), `/${link.id}`);
  asked.length = 0;
  return { path: `/${link.id}`, id: link.id, asked };
}

/** Changes a link in the database, and nowhere else. */
export async function updateLink(id: string, change: string): Promise<void> {
  await env.DB.prepare(`UPDATE links SET ${change}, revision = revision + 1 WHERE id = ?1`).bind(id).run();
}

/** The status of a response, and where it leads: `404`, or `302 https://…`. */
export async function responseSummary(isolate: Call, path: string): Promise<string> {
  const response = await isolate(path, { method: 'HEAD' });
  return [response.status, response.headers.get('Location')].filter((word) => word !== null).join(' ');
}

import type { Context } from 'hono';
import { readDatabaseState, type DatabaseState, type WriteChecks } from '../accounts/database-state.ts';
import type { Credential } from '../accounts/grants.ts';
import { openServiceDatabase } from '../database/service-database.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { bearerOf, readAnyCredential } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { healthQuery } from '../http/health-query.ts';
import { touchCache } from '../links/redirect/touch-cache.ts';
import { logProblem } from '../isolate/log.ts';
import { TIMEOUT_MS, withTimeout } from '../bounds/timeouts.ts';
import { looksLikeOperatorToken } from '../tokens/operator.ts';
import { parseFields, type Fields } from '../input/validation.ts';

const RETRY_AFTER_SECONDS = 5;
const LONG_RETRY_AFTER_SECONDS = 60;

/** Checks the stores as far as a query of `GET /health` asks for it, and returns their names. */
export async function checkStores(c: Context<HttpEnv>, query: Fields, writes: WriteChecks): Promise<string[]> {
  const { deep } = parseFields(healthQuery(), query);
  if (!deep) return [];
  await readStores(c, await readCaller(c), writes);
  return ['d1', 'kv'];
}

/** The credential of the caller; null for an operator, whose token needs no database. */
async function readCaller(c: Context<HttpEnv>): Promise<Credential | null> {
  const token = bearerOf(c);
  if (token === null || !looksLikeOperatorToken(token)) return readAnyCredential(c)();
  await c.var.services.verifyOperator(token, new URL(c.req.url).host);
  return null;
}

const SENTENCES: Readonly<Record<Exclude<DatabaseState, 'ok'>, readonly [ErrorCode, string]>> = {
  restoring: [
    'restoring',
    'The database is being restored from a backup, or a restore was interrupted and has to be run again. Only links that ' +
      'are in memory or in KV redirect.',
  ],
  full: ['full', 'The database is full: nothing can be saved. Links redirect, and what is saved can be read.'],
  read_only: [
    'read_only',
    'The database takes no writes: nothing can be saved. Links redirect, and what is saved can be read.',
  ],
  newer: [
    'read_only',
    'The service runs a version that is older than its database: nothing can be saved. Links redirect, and what is saved ' +
      'can be read.',
  ],
};

// The database checks whether the credential is still valid. If the database fails, the signature of a token is enough, and
// an API key gets the failure.
async function readStores(c: Context<HttpEnv>, credential: Credential | null, writes: WriteChecks): Promise<void> {
  const { schemaVersion } = c.var.services.watch;
  const db = openServiceDatabase(c.env.DB, { timeoutMs: TIMEOUT_MS.health });
  const reading = readDatabaseState(db, credential, { writes, schemaVersion });
  const touching = touchCache(c.env.LINKS).then(() => true);
  const [state, cache] = await Promise.all([responseOf(c, 'd1', reading), responseOf(c, 'kv', touching)]);
  const silent = [...(state === null ? ['d1'] : []), ...(cache === null ? ['kv'] : [])];
  const stores = silent.length === 0 ? '' : `These stores do not respond: ${silent.join(', ')}.`;
  if (state !== null && state !== 'ok') {
    const [code, sentence] = SENTENCES[state];
    throw unable(code, [sentence, ...(stores === '' ? [] : [stores])].join(' '), LONG_RETRY_AFTER_SECONDS);
  }
  if (stores !== '') throw unable('store_unavailable', stores, RETRY_AFTER_SECONDS);
}

const unable = (code: ErrorCode, sentence: string, retryAfterSeconds: number) =>
  new AppError(code, sentence, { retryAfterSeconds, cause: new Error(sentence) });

/** The response of a store; null if it fails. Throws errors of the caller. */
async function responseOf<Result>(c: Context<HttpEnv>, store: string, work: Promise<Result>): Promise<Result | null> {
  try {
    return await withTimeout(TIMEOUT_MS.health, work);
  } catch (error) {
    if (error instanceof AppError) throw error;
    logProblem('health_failed', error, { store, request_id: c.var.requestId });
    return null;
  }
}

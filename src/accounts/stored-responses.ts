import type { Param, Statement } from '../database/database.ts';
import { AppError } from '../errors.ts';

/** Answers to requests with an `Idempotency-Key`, kept so that a repeated request gets the same answer. */

/** The time for which a response is kept. */
const KEPT_MS = 24 * 3600 * 1000;

/** The endpoints that keep answers. Each has its own keys: the same key at another endpoint is another key. */
export type IdempotentEndpoint = 'links' | 'batch' | 'encode';

/** The identity of a request when it is repeated, except its content. */
export interface RepeatKey {
  /** The caller's `Idempotency-Key`. */
  readonly key: string;
  readonly endpoint: IdempotentEndpoint;
}

/** The identity of a request when it is repeated. */
export interface Repeatable extends RepeatKey {
  /** A hash of the request's content, not of its bytes: the boundary of a form differs each time. */
  readonly fingerprint: string;
}

/** The stored row of a request that succeeded. */
export interface KeptRow {
  readonly client_id: string;
  readonly fingerprint: string;
  readonly answer: string;
}

/** The columns of a `KeptRow`. */
export const KEPT_COLUMNS = 'client_id, fingerprint, answer';

/** The SQL parameters of a request. `keptName` and `isOfRequest` take the number of the first one. */
export function repeatParams({ key, endpoint }: RepeatKey): Param[] {
  // Earlier versions kept answers of `POST /v1/links` only, under the bare key.
  return [key, `${endpoint} `, endpoint === 'links' ? key : null];
}

/** The name of a request among those of a client, under `GRANTS`: endpoint, user and key, none of which has a space. */
export const keptName = (first: number): string =>
  `(SELECT ?${first + 1} || max(user_id) || ' ' || ?${first} FROM grants)`;

/** True if a row of `idempotency_keys` belongs to this request and has not expired. */
export const isOfRequest = (first: number): string =>
  `key IN (?${first + 2}, ${keptName(first)}) AND created_at > ?5 - ${KEPT_MS}`;

/** The end of a statement `INSERT INTO idempotency_keys (client_id, key, fingerprint, answer, created_at)`. */
export const REPLACE_FORGOTTEN = `
  ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
    WHERE idempotency_keys.created_at <= excluded.created_at - ${KEPT_MS}`;

/** Returns the kept answer. Throws `idempotency_key_reused` if it was kept for other content. */
export function responseOf(kept: KeptRow, { fingerprint }: Repeatable): string {
  if (kept.fingerprint === fingerprint) return kept.answer;
  throw new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used with different content within the last 24 hours. Use a new key for new content.',
  );
}

const MAX_PLAIN_BYTES = 256 * 1024;
// JSON never begins like this.
const PACKED = 'gzip:';

/**
 * An answer, given as JSON, in the form in which it is kept: above 256 KiB as `gzip:` and base64, which is below 1.5 MB
 * for the largest batch. D1 accepts 2,000,000 bytes in a row and in a bound text, and a slice of a restore holds
 * 1,900,000, in which quotes within JSON within JSON take several bytes each. So no caller can create a row that makes
 * a backup impossible to restore. Source: https://developers.cloudflare.com/d1/platform/limits/
 */
export async function packResponse(json: string): Promise<string> {
  if (Buffer.byteLength(json) <= MAX_PLAIN_BYTES) return json;
  const bytes = await bytesOf(new Blob([json]).stream().pipeThrough(new CompressionStream('gzip')));
  return PACKED + bytes.toString('base64');
}

/** True if an answer is kept compressed, rather than as JSON. */
export const isPacked = (kept: string): boolean => kept.startsWith(PACKED);

/** The JSON of an answer in either form. */
export async function unpackResponse(kept: string): Promise<string> {
  if (!isPacked(kept)) return kept;
  const bytes = new Blob([Buffer.from(kept.slice(PACKED.length), 'base64')]);
  return (await bytesOf(bytes.stream().pipeThrough(new DecompressionStream('gzip')))).toString();
}

const bytesOf = async (stream: ReadableStream): Promise<Buffer> =>
  Buffer.from(await new Response(stream).arrayBuffer());

/** For the daily clean-up. */
export function deleteExpiredResponses(now: number): Statement {
  return { sql: `DELETE FROM idempotency_keys WHERE created_at <= ?1`, params: [now - KEPT_MS] };
}

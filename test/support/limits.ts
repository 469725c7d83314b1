import { env } from 'cloudflare:workers';
import { beforeEach, expect, onTestFinished, vi } from 'vitest';
import type { Caller } from './forms.ts';
import { rowsOf } from './seed.ts';
import { openIsolate, type Call } from './service.ts';

/** Requests that rate limits count. */

/** Lets no new minute begin until the end of the test: in it, the counts of a limit would be 0 again. */
export function stopClock(): void {
  vi.setSystemTime(Date.now());
  onTestFinished(() => void vi.useRealTimers());
}

/** Calls an isolate of its own in each test, since each isolate counts too. It answers once everything is counted. */
export function openIsolatePerTest(): Call {
  let call: Call;
  beforeEach(() => {
    stopClock();
    call = openIsolate();
  });
  return (...args) => call(...args);
}

/** Until the end of the test, a rate limit counts as the platform's does, but to a smaller number and for ever. */
export function countTo(name: 'CREATE_LIMIT' | 'CREATE_ADDRESS_LIMIT' | 'WRITE_LIMIT', limit: number): void {
  const counts = new Map<string, number>();
  const spy = vi.spyOn(env[name], 'limit').mockImplementation(async ({ key }) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { success: count <= limit };
  });
  onTestFinished(() => spy.mockRestore());
}

export type Ask = (caller: Caller, headers?: Record<string, string>) => Promise<Response>;

/** Sends JSON with the caller's API key. */
export const jsonBy =
  (call: Call) =>
  (path: string, bodyOf: (caller: Caller) => object): Ask =>
  (caller, headers) =>
    call(path, {
      method: 'POST',
      headers: { 'X-API-Key': caller.apiKey, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(bodyOf(caller)),
    });

export const URL_OF_A_LINK = 'https://example.com/';
export const LINK = ({ clientId }: Caller) => ({ url: URL_OF_A_LINK, client_id: clientId });

export const fromHome = ({ address }: Caller) => ({ 'CF-Connecting-IP': address });

/** The rows that a create writes. */
export const createdRows = async () => [
  await rowsOf('links'),
  await rowsOf('addresses'),
  await rowsOf('api_keys'),
  await rowsOf('encode_days'),
];

export async function expectTooMany(response: Response, text = 'too quickly'): Promise<void> {
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(Number(response.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  expect(await response.text()).toContain(text);
}

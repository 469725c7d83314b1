import { AsyncLocalStorage } from 'node:async_hooks';

/** The tests that run, as far as what they start has to end with them. */

const running = new AsyncLocalStorage<AbortSignal>();

/** Runs a test whose signal is aborted when it times out. */
export function runInScope<T>(signal: AbortSignal, test: () => Promise<T>): Promise<T> {
  return running.run(signal, test);
}

/**
 * Throws in a test that has timed out. Vitest reports such a test, and cannot stop it: it would continue beside the tests
 * after it.
 */
export function refuseAfterTimeout(): void {
  if (running.getStore()?.aborted) throw new Error('The test has timed out: its next steps are left out.');
}

/** Calls `end` when the test that calls this times out. Gives a function that cancels this. */
export function onTimeout(end: () => void): () => void {
  const signal = running.getStore();
  signal?.addEventListener('abort', end, { once: true });
  return () => signal?.removeEventListener('abort', end);
}

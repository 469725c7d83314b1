import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 collects garbage the later, the more memory the machine has. On a small one the server shares it with others, so that it
 * begins sooner: with a heap of 2 MB, and again whenever that has grown by a third. workerd has an isolate for each store,
 * and each would gather tens of megabytes.
 */

const SPARING = ['--initial-old-space-size=2', '--max-semi-space-size=1', '--heap-growing-percent=30'];

/** Lets the workerd that Miniflare starts keep little garbage. */
export function spareMemoryOfWorkerd(): void {
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] ??= SPARING.join(' ');
}

/** Gives back what this process has used to start. */
export function releaseMemory(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

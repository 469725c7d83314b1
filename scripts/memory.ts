import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 collects garbage late where the machine has much memory, and workerd has an isolate for each store: together they would
 * gather hundreds of megabytes. So V8 begins with a heap of 2 MB, and collects whenever that has grown by a third.
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
  const collect = runInNewContext('gc') as (options: {
    readonly type: 'major';
    readonly flavor: 'last-resort';
  }) => void;
  collect({ type: 'major', flavor: 'last-resort' });
}

import { env } from 'cloudflare:workers';

/**
 * Work that a request leaves for later. The Worker as it is deployed answers before that is done, so it may read a store
 * in a later test, which would count it.
 */

// The Worker gathers what it checks later for a part of a second; a longer wait is for a second attempt.
const LONGEST_MS = 500;

interface Waiting {
  waitsOfTests?: Set<Promise<void>>;
}

const waits = ((globalThis as Waiting).waitsOfTests ??= watchWaits());

// Once for all files that share the workerd, though each may have this module of its own.
function watchWaits(): Set<Promise<void>> {
  const wait = scheduler.wait.bind(scheduler);
  const waiting = new Set<Promise<void>>();
  scheduler.wait = (ms, options) => {
    const over = wait(ms, options);
    if (ms > 0 && ms <= LONGEST_MS) {
      waiting.add(over);
      const remove = () => waiting.delete(over);
      over.then(remove, remove);
    }
    return over;
  };
  return waiting;
}

/** Resolves once all that was deferred for a part of a second has read what it reads. */
export async function deferredWorkEnds(): Promise<void> {
  while (waits.size > 0) await Promise.allSettled(waits);
  // Queries are answered in turn.
  await env.DB.prepare('SELECT 1').first();
}

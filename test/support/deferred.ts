/**
 * Work that a request leaves for later. The Worker as it is deployed answers before that is done, so it may read a store
 * in a later test, which would count it.
 */

// The Worker gathers what it checks later for a part of a second; a longer wait is for a second attempt.
const LONGEST_MS = 500;
/**
 * Waits of up to a second are so many times shorter in tests: nearly every test that follows a link waits until the Worker
 * has gathered what it does later, and tests of failures wait for a second attempt.
 */
const [SHORTENED_MS, SHORTER] = [1000, 50];

interface Watched {
  /** The work that is waited for now. */
  readonly waiting: Set<Promise<void>>;
  /** The platform's own wait, whatever a test has put in its place. */
  readonly wait: typeof scheduler.wait;
}

// Once for all files that share the workerd, though each may have this module of its own.
const watched = ((globalThis as { watchedWaits?: Watched }).watchedWaits ??= watchWaits());

function watchWaits(): Watched {
  const wait = scheduler.wait.bind(scheduler);
  const waiting = new Set<Promise<void>>();
  scheduler.wait = (ms, options) => {
    const over = wait(ms > SHORTENED_MS ? ms : Math.ceil(ms / SHORTER), options);
    if (ms <= 0 || ms > LONGEST_MS) return over;
    waiting.add(over);
    const remove = () => waiting.delete(over);
    over.then(remove, remove);
    return over;
  };
  return { waiting, wait };
}

/** Waits for the whole time, which `scheduler.wait` shortens in tests. */
export const waitReally = (ms: number): Promise<void> => watched.wait(ms);

/** Resolves once all that was deferred for a part of a second has asked what it asks the stores. */
export async function deferredWorkEnds(): Promise<void> {
  while (watched.waiting.size > 0) await Promise.allSettled(watched.waiting);
  // It asks them right after its wait has ended.
  await watched.wait(0);
}

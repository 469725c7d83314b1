/**
 * Waits for work no longer than some milliseconds, and then fails. The work itself goes on: nothing of what a store was
 * asked for can be taken back.
 */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const patience = new AbortController();
  const end = scheduler.wait(milliseconds, { signal: patience.signal }).then(() => {
    throw new Error(`no answer within ${milliseconds} ms`);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    patience.abort();
    end.catch(() => undefined);
  }
}

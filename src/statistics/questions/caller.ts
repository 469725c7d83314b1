/**
 * A stream without content. It ends when the request that opened it has ended, so that an object that gets it learns that
 * its caller has left: the platform says so in no other way. Each call needs one of its own.
 */
export const openCaller = (): ReadableStream<Uint8Array> => new ReadableStream({ type: 'bytes' });

/** Calls `left` once a caller has left, unless the function that is returned was called before. */
export function watchCaller(caller: ReadableStream<Uint8Array> | undefined, left: () => void): () => void {
  // A Worker of the version before sends none.
  if (caller === undefined) return () => undefined;
  const reader = caller.getReader();
  let isWatched = true;
  const end = () => {
    if (isWatched) left();
  };
  reader.read().then(end, end);
  return () => {
    isWatched = false;
    reader.cancel().catch(() => undefined);
  };
}

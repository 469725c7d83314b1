/**
 * The size of the JavaScript heap of a Worker's isolate, in bytes, after a garbage collection.
 *
 * @param url the isolate at the inspector of its workerd
 * @see https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#method-getHeapUsage
 */
export async function heapBytesOf(url: string): Promise<number> {
  const socket = new WebSocket(url);
  const ask = (id: number, method: string) => socket.send(JSON.stringify({ id, method }));
  try {
    return await new Promise((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error(`${url} cannot be inspected`)));
      socket.addEventListener('open', () => {
        // A snapshot begins with a collection, and workerd has no other command for one.
        ask(1, 'HeapProfiler.takeHeapSnapshot');
        ask(2, 'Runtime.getHeapUsage');
      });
      socket.addEventListener('message', ({ data }) => {
        const { id, result }: { id?: number; result: { usedSize: number } } = JSON.parse(String(data));
        if (id === 2) resolve(result.usedSize);
      });
    });
  } finally {
    socket.close();
  }
}

/**
 * Samples the heap of an isolate, with buffers and uncollected garbage.
 *
 * @returns the function that stops sampling and returns the largest sample, in bytes
 */
export function watchHeap(url: string): () => Promise<number> {
  const socket = new WebSocket(url);
  let most = 0;
  // Sent without waiting for the previous answer: workerd sometimes answers only when the next request has arrived.
  const timer = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' }));
  }, LOOK_EVERY_MS);
  socket.addEventListener('message', ({ data }) => {
    const { id, result }: { id?: number; result: HeapUsage } = JSON.parse(String(data));
    if (id === 1) most = Math.max(most, result.usedSize + (result.backingStorageSize ?? 0));
  });
  return async () => {
    clearInterval(timer);
    socket.close();
    if (most === 0) throw new Error(`${url} cannot be inspected`);
    return most;
  };
}

// Rare enough not to slow down the isolate.
const LOOK_EVERY_MS = 20;

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

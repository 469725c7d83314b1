/**
 * What a Worker's isolate keeps in JavaScript, in bytes, after all that nobody needs was collected.
 *
 * @param url of the isolate, at the inspector of its workerd
 * @see https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#method-getHeapUsage
 */
export async function heapBytesOf(url: string): Promise<number> {
  const socket = new WebSocket(url);
  const ask = (id: number, method: string) => socket.send(JSON.stringify({ id, method }));
  try {
    return await new Promise((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error(`${url} cannot be inspected`)));
      socket.addEventListener('open', () => {
        // A snapshot begins with a collection, and workerd takes no other order for one.
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

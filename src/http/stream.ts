import { asAppError, logFailure } from './failure.ts';

/**
 * Streams texts as UTF-8; each is written only when the reader has room for it. The first text is awaited: if it fails,
 * this rejects, so that the caller can still answer with the failure. If a later one fails, the stream is aborted, so
 * that the answer does not look complete.
 */
export async function streamTexts(
  texts: AsyncGenerator<string, void>,
  requestId: string,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let upcoming: IteratorResult<string, void> | null = await nextText(texts);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = upcoming ?? (await nextText(texts));
          upcoming = null;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          logFailure(asAppError(error), { request_id: requestId });
          controller.error(error);
        }
      },
      cancel: async () => {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

// An empty chunk does not count as one, and the stream would not ask for the next.
async function nextText(texts: AsyncGenerator<string, void>): Promise<IteratorResult<string, void>> {
  for (;;) {
    const next = await texts.next();
    if (next.done || next.value !== '') return next;
  }
}

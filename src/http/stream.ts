import { asAppError, logFailure } from './failure.ts';

/**
 * Streams texts as UTF-8, each made only when the reader has room for it. The first is awaited: where that fails, so does
 * this, and there can still be an answer that says so. Where a later one fails, the stream is aborted: an answer that was
 * cut off must not look whole.
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

// A chunk without bytes would not be taken as one, and nobody would ask for the next.
async function nextText(texts: AsyncGenerator<string, void>): Promise<IteratorResult<string, void>> {
  for (;;) {
    const next = await texts.next();
    if (next.done || next.value !== '') return next;
  }
}

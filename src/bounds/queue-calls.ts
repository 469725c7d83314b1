// A call takes 100 messages: https://developers.cloudflare.com/queues/platform/limits/
const MAX_IN_A_CALL = 100;

/** Sends messages as JSON, in as many calls as they need. Throws what the queue throws. */
export async function sendInCalls(
  queue: Pick<Queue, 'sendBatch'>,
  messages: readonly MessageSendRequest[],
): Promise<void> {
  for (let first = 0; first < messages.length; first += MAX_IN_A_CALL) {
    const part = messages.slice(first, first + MAX_IN_A_CALL);
    await queue.sendBatch(part.map((message) => ({ ...message, contentType: 'json' })));
  }
}

import worker from '../src/index.ts';

// The classes of its Durable Objects.
export * from '../src/index.ts';

/**
 * The Worker with a consumer that breaks on every third batch: once before it has counted anything, once after it has
 * counted everything but before it has acknowledged the batch.
 */
let batches = 0;

export default {
  fetch: worker.fetch,
  async queue(batch, env) {
    batches += 1;
    const breaks = batches % 3 === 0;
    if (breaks && batches % 2 === 0) throw new Error('failed before counting');
    await worker.queue(breaks ? silenced(batch) : batch, env);
    if (breaks) throw new Error('failed after counting');
  },
} satisfies ExportedHandler<Env>;

// The consumer's acknowledgements do not reach the queue.
function silenced(batch: MessageBatch): MessageBatch {
  const { queue, messages, metadata } = batch;
  return { queue, messages, metadata, ackAll: () => undefined, retryAll: (options) => batch.retryAll(options) };
}

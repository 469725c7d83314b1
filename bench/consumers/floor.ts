export * from '../floors/objects.ts';

/** A consumer that counts nothing. */
export default {
  queue: (batch) => batch.ackAll(),
} satisfies ExportedHandler<Env>;

import worker from '../../src/index.ts';
import { FoldedStatistics } from '../folded-object.ts';

export { LinkLimit } from '../../src/link-limit/object.ts';
export { FoldedStatistics as ClientStatistics };

/** The Worker, whose objects can be folded at any time. */

const MAX_AT_ONCE = 6;

export default {
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== '/.bench/fold') return worker.fetch(request, env, ctx);
    const objects = env.STATISTICS as unknown as DurableObjectNamespace<FoldedStatistics>;
    const clients = await request.json<string[]>();
    const next = clients[Symbol.iterator]();
    const fold = async () => {
      for (const client of next) await objects.getByName(client).foldAll();
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, fold));
    return new Response(null, { status: 204 });
  },
  queue: worker.queue,
} satisfies ExportedHandler<Env>;

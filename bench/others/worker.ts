import worker from '../../src/index.ts';
import type { Question } from '../../src/statistics/questions/questions.ts';
import { SeededStatistics, type Seed } from '../seeded-object.ts';

export { LinkLimit } from '../../src/link-limit/object.ts';
export { SeededStatistics as ClientStatistics };

/** The Worker, whose objects can be filled, and asked directly, for clicks or for nothing. */

type Objects = DurableObjectNamespace<SeededStatistics>;

export default {
  async fetch(request, env, ctx) {
    if (!request.url.includes('/.bench/')) return worker.fetch(request, env, ctx);
    const { pathname, searchParams } = new URL(request.url);
    const object = (env.STATISTICS as unknown as Objects).getByName(searchParams.get('client') ?? '');
    if (pathname === '/.bench/seed') await object.seed((await request.json()) as Seed);
    else if (pathname === '/.bench/ask') await object.ask((await request.json()) as Question);
    else await object.totals([]);
    return new Response(null, { status: 204 });
  },
  queue: worker.queue,
} satisfies ExportedHandler<Env>;

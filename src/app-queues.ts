import { databaseBehind, eventQueueOf, statisticsBehind } from './app-stores.ts';
import { consumeClicks } from './clicks/consume.ts';
import type { ClickHooks } from './clicks/events/hooks.ts';
import { ClientMoves } from './clicks/former/move.ts';
import { RecentFailures } from './clicks/recent-failures.ts';
import { Waking } from './events/wake.ts';
import type { Services } from './http/env.ts';

/** Takes the batches of the queues in `wrangler.toml`. */
export type Consume = (batch: MessageBatch, env: Env, ctx: ExecutionContext) => Promise<void>;

/** Opens the consumer of an isolate. */
export function openQueues(services: Services, hooks: ClickHooks): Consume {
  const failures = new RecentFailures();
  const moves = new ClientMoves();
  return async (batch, env) => {
    const waking = new Waking(eventQueueOf(env, null));
    const db = waking.over(databaseBehind(env, services.watch));
    const stores = { db, statistics: statisticsBehind(env), failures, hooks, moves };
    await consumeClicks(stores, batch, services.config.deadLetterQueue);
    await waking.done();
  };
}

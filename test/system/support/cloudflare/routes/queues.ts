import type { Broker } from '../broker.ts';
import { jsonOf, type Call, type Routes } from '../call.ts';
import { ApiError, pageOf } from '../envelope.ts';
import type { Queue, QueueSettings } from '../queue-state.ts';
import { newId, now, type Account } from '../state.ts';

/** Queues and their settings: https://developers.cloudflare.com/api/resources/queues/ */
export function queueRoutes(broker: Broker): Routes {
  return {
    // wrangler sends one or more whole names.
    'GET /accounts/:account/queues': ({ account, query }) => {
      const names = query.getAll('name');
      const found = account.queues.filter(({ queue_name }) => names.length === 0 || names.includes(queue_name));
      return pageOf(
        found.map((queue) => presentQueue(account, queue)),
        query,
        100,
      );
    },

    'POST /accounts/:account/queues': (call) => {
      const { queue_name: name = '', settings } = jsonOf(call) as QueueBody;
      // https://github.com/cloudflare/workers-sdk/issues/2522
      if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
        throw new ApiError(400, 11003, `Invalid queue name: invalid queue name: ${name}. Must match ^[a-z0-9]…$`);
      }
      if (call.account.queues.some(({ queue_name }) => queue_name === name)) {
        // Seen with this sentence and code by others who create queues by the API.
        throw new ApiError(
          409,
          11009,
          `Queue name '${name}' is already taken. Please use a different name and try again.`,
        );
      }
      return presentQueue(call.account, createQueue(call.account, name, settings));
    },

    'GET /accounts/:account/queues/:queue': (call) => presentQueue(call.account, queueOf(call)),
    'PATCH /accounts/:account/queues/:queue': update,
    'PUT /accounts/:account/queues/:queue': update,
  };

  function update(call: Call) {
    const queue = queueOf(call);
    const { queue_name: name, settings } = jsonOf(call) as QueueBody;
    queue.queue_name = name ?? queue.queue_name;
    queue.settings = settingsWith(settings, queue.settings);
    broker.schedule(call.account, queue);
    return presentQueue(call.account, queue);
  }
}

interface QueueBody {
  readonly queue_name?: string;
  readonly settings?: Partial<QueueSettings>;
}

/** Adds a queue to an account. It keeps messages for four days by default. */
export function createQueue(account: Account, name: string, settings?: Partial<QueueSettings>): Queue {
  const queue: Queue = {
    queue_id: newId(),
    queue_name: name,
    created_on: now(),
    settings: settingsWith(settings, PRESET),
    consumers: [],
    messages: [],
  };
  account.queues.push(queue);
  return queue;
}

// https://developers.cloudflare.com/queues/configuration/configure-queues/
const PRESET: QueueSettings = { delivery_delay: 0, delivery_paused: false, message_retention_period: 345_600 };
const [SHORTEST, LONGEST] = [60, 1_209_600];

function settingsWith(changes: Partial<QueueSettings> | undefined, before: QueueSettings): QueueSettings {
  const settings = { ...before, ...changes };
  const period = settings.message_retention_period;
  if (period < SHORTEST || period > LONGEST) {
    throw new ApiError(400, 10026, `message_retention_period must be between ${SHORTEST} and ${LONGEST}`);
  }
  return settings;
}

/** The queue that the path names. Throws code 11000 (https://github.com/alchemy-run/distilled/pull/273). */
export function queueOf({ account, params }: Pick<Call, 'account' | 'params'>): Queue {
  const queue = account.queues.find(({ queue_id }) => queue_id === params['queue']);
  if (queue === undefined) throw new ApiError(404, 11000, 'Queue not found');
  return queue;
}

function presentQueue(account: Account, queue: Queue) {
  const producers = [...account.scripts.values()].flatMap(({ name, versions }) => {
    const bindings = versions.at(-1)?.bindings ?? [];
    const sends = bindings.some(({ type, queue_name }) => type === 'queue' && queue_name === queue.queue_name);
    return sends ? [{ type: 'worker', script: name }] : [];
  });
  const { messages: _, ...shown } = queue;
  return {
    ...shown,
    modified_on: queue.created_on,
    producers,
    producers_total_count: producers.length,
    consumers: queue.consumers.map((consumer) => ({ ...consumer, queue_name: queue.queue_name })),
    consumers_total_count: queue.consumers.length,
  };
}

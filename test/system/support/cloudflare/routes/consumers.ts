import type { Broker } from '../broker.ts';
import { jsonOf, type Call, type Routes } from '../call.ts';
import { ApiError } from '../envelope.ts';
import type { Consumer, ConsumerSettings } from '../queue-state.ts';
import { newId, now } from '../state.ts';
import { createQueue, queueOf } from './queues.ts';

/**
 * Which Worker takes the messages of a queue: https://developers.cloudflare.com/api/resources/queues/subresources/consumers/
 */
export function consumerRoutes(broker: Broker): Routes {
  const path = '/accounts/:account/queues/:queue/consumers';
  return {
    [`GET ${path}`]: (call) => queueOf(call).consumers,

    [`POST ${path}`]: (call) => {
      const queue = queueOf(call);
      const body = jsonOf(call) as ConsumerBody;
      const script = body.script_name ?? '';
      if (!call.account.scripts.has(script)) {
        throw new ApiError(404, 10007, 'This Worker does not exist on your account.');
      }
      // A queue has one consumer: https://github.com/cloudflare/workers-sdk/issues/5347
      if (queue.consumers.length > 0) throw new ApiError(400, 11004, 'workers.api.error.consumer_exists');
      const consumer: Consumer = {
        consumer_id: newId(),
        created_on: now(),
        type: 'worker',
        script,
        settings: { ...PRESET },
      };
      queue.consumers.push(consumer);
      return change(call, consumer, body);
    },

    [`PUT ${path}/:consumer`]: (call) => change(call, consumerOf(call), jsonOf(call) as ConsumerBody),

    [`DELETE ${path}/:consumer`]: (call) => {
      const { consumers } = queueOf(call);
      consumers.splice(consumers.indexOf(consumerOf(call)), 1);
      return null;
    },
  };

  function change(call: Call, consumer: Consumer, { settings = {}, dead_letter_queue: dead }: ConsumerBody) {
    const given = Object.entries(settings).filter(([, value]) => value !== null);
    consumer.settings = { ...PRESET, ...Object.fromEntries(given) };
    delete consumer.dead_letter_queue;
    if (dead !== undefined) consumer.dead_letter_queue = dead;
    // "If there's no queue with the specified name, it will be created automatically":
    // https://developers.cloudflare.com/queues/configuration/dead-letter-queues/
    if (dead !== undefined && !call.account.queues.some(({ queue_name }) => queue_name === dead)) {
      createQueue(call.account, dead);
    }
    broker.schedule(call.account, queueOf(call));
    return consumer;
  }
}

interface ConsumerBody {
  readonly script_name?: string;
  readonly dead_letter_queue?: string;
  readonly settings?: Partial<ConsumerSettings>;
}

// https://developers.cloudflare.com/queues/configuration/configure-queues/#consumer-worker-configuration
const PRESET: ConsumerSettings = {
  batch_size: 10,
  max_retries: 3,
  max_wait_time_ms: 5000,
  max_concurrency: null,
  retry_delay: 0,
};

function consumerOf(call: Call): Consumer {
  const consumer = queueOf(call).consumers.find(({ consumer_id }) => consumer_id === call.params['consumer']);
  if (consumer === undefined) throw new ApiError(404, 11000, 'Consumer not found');
  return consumer;
}

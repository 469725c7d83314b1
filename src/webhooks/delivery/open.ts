import type { Database } from '../../database/database.ts';
import { DeliveryPace } from '../../events/delivery-pace.ts';
import type { Site } from '../../network/hosts.ts';
import type { SealingKey } from '../../secrets/sealing.ts';
import { hostRulesOf, refuseInnerHost, type HostSettings } from '../inner-hosts.ts';
import { openSecrets } from '../secrets.ts';
import { consumeWebhooks, type ConsumerStores } from './consume.ts';
import type { WebhookQueue } from './messages.ts';
import { Receivers } from './receivers.ts';
import { SCHEDULE_SECONDS } from './schedule.ts';

/** The settings that an isolate needs for deliveries. */
export interface DeliverySettings extends HostSettings {
  readonly publicUrl: URL | null;
  /** The keys that decrypt secrets. */
  readonly keys: readonly SealingKey[];
  /** The seconds before each attempt; null for the usual ones. */
  readonly schedule: readonly number[] | null;
}

/** The stores of one invocation. */
interface InvocationStores {
  readonly db: Database;
  readonly queue: WebhookQueue;
}

/** Opens the consumer of an isolate for the queue of webhooks; `defer` keeps its invocation alive. */
export function openWebhookConsumer({ publicUrl, keys, schedule, ...hosts }: DeliverySettings) {
  const receivers = new Receivers();
  const pace = new DeliveryPace();
  return ({ db, queue }: InvocationStores, messages: readonly Message[], defer: (work: Promise<unknown>) => void) => {
    const stores: ConsumerStores = {
      db,
      queue,
      receivers,
      pace,
      publicUrl,
      schedule: schedule ?? SCHEDULE_SECONDS,
      openSecrets: openSecrets.bind(null, keys),
      checkHost: (url, origin) => refuseInnerHost(hostRulesOf(db, siteOf(publicUrl, origin), hosts), url),
    };
    return consumeWebhooks(stores, messages, defer);
  };
}

function siteOf(publicUrl: URL | null, origin: string | null): Site | null {
  const requestUrl = origin === null ? publicUrl : new URL(origin);
  return requestUrl && { publicUrl, requestUrl };
}

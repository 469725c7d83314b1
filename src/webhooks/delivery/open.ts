import type { Database } from '../../database.ts';
import type { AddressResolver } from '../../dns.ts';
import type { SealingKey } from '../../sealing.ts';
import { hostRulesOf, refuseInnerHost } from '../inner-hosts.ts';
import { openSecrets } from '../secrets.ts';
import { consumeWebhooks } from './consume.ts';
import { LOCAL_ORIGIN } from './dispatch.ts';
import type { WebhookQueue } from './messages.ts';
import { Receivers } from './receivers.ts';
import { SCHEDULE_SECONDS } from './schedule.ts';

/** What an isolate needs for deliveries. */
export interface DeliverySettings {
  readonly publicUrl: URL | null;
  /** Those that decrypt secrets. */
  readonly keys: readonly SealingKey[];
  /** The seconds before each attempt; null for the usual ones. */
  readonly schedule: readonly number[] | null;
  readonly allowsLoopback: boolean;
  readonly resolveAddresses: AddressResolver;
}

/** The stores of one invocation. */
export interface InvocationStores {
  readonly db: Database;
  readonly queue: WebhookQueue;
}

/** Opens the consumer of an isolate for the queue of webhooks; `defer` keeps its invocation alive. */
export function openWebhookConsumer({ publicUrl, keys, schedule, allowsLoopback, resolveAddresses }: DeliverySettings) {
  const receivers = new Receivers();
  const site = { publicUrl, requestUrl: publicUrl ?? new URL(LOCAL_ORIGIN) };
  return ({ db, queue }: InvocationStores, batch: MessageBatch, defer: (work: Promise<unknown>) => void) => {
    const rules = hostRulesOf(db, site, { resolveAddresses, allowsLoopback });
    const stores = {
      db,
      queue,
      receivers,
      publicUrl,
      schedule: schedule ?? SCHEDULE_SECONDS,
      openSecrets: openSecrets.bind(null, keys),
      checkHost: (url: URL) => refuseInnerHost(rules, url),
    };
    return consumeWebhooks(stores, batch, defer);
  };
}

import type { ClickSender } from './click-sender.ts';
import type { Core } from '../http/env.ts';
import { servicesOf } from './services.ts';
import { backgroundDatabase, eventQueueOf, backgroundStatistics } from './stores.ts';
import { Later } from '../isolate/later.ts';
import { isOfMail } from '../mail/messages.ts';
import { consumeClicks } from '../clicks/consume.ts';
import { RecentFailures } from '../clicks/recent-failures.ts';
import { EventNotifier } from '../events/notify.ts';
import { openWebhookConsumer } from '../webhooks/delivery/open.ts';

// Few batches have some.
const mails = new Later(() => import('./mail.ts'));

/** Takes the batches of the queues in `wrangler.toml`; `defer` keeps the invocation alive. */
type Consume = (batch: MessageBatch, env: Env, defer: (work: Promise<unknown>) => void) => Promise<void>;

/** Opens the consumer of an isolate. */
export function openQueues(core: Core, { hooks }: ClickSender): Consume {
  const { config, proofSources, watch } = servicesOf(core);
  const failures = new RecentFailures();
  const consumeWebhooks = openWebhookConsumer({
    publicUrl: config.publicUrl,
    keys: config.webhookKeys,
    schedule: config.webhookSchedule,
    allowsLoopback: config.webhookLoopback,
    domainTarget: config.domainTarget,
    resolveAddresses: proofSources.resolveAddresses,
  });
  return async (batch, env, defer) => {
    if (batch.queue === config.webhookQueue) {
      const waking = new EventNotifier(() => eventQueueOf(env, null));
      const db = backgroundDatabase(env, watch, waking);
      const ofMail = batch.messages.filter(isOfMail);
      const others = batch.messages.filter((message) => !isOfMail(message));
      await Promise.all([
        ofMail.length > 0 && mails.use(({ consumeMails }) => consumeMails(core, env, db, ofMail, defer)),
        consumeWebhooks({ db, queue: env.WEBHOOKS }, others, defer),
      ]);
      return waking.done();
    }
    const waking = new EventNotifier(() => eventQueueOf(env, null));
    const db = backgroundDatabase(env, watch, waking);
    const stores = { db, statistics: backgroundStatistics(env), failures, hooks };
    await consumeClicks(stores, batch, config.deadLetterQueue);
    await waking.done();
  };
}

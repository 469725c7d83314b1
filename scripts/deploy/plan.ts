import { findPending } from '../migrations/migrate.ts';
import type { Cloudflare } from './cloudflare.ts';
import { openRemoteSql } from './database.ts';
import type { Domains } from './domains.ts';
import type { Inventory } from './inventory.ts';
import { changedClasses } from './objects.ts';
import type { Environment, Project } from './project.ts';
import type { Report } from './report.ts';

const created = (isThere: boolean): string => (isThere ? 'is there' : 'would be created');

/** Says what a deploy would do, and changes nothing. */
export async function reportPlan(
  cloudflare: Cloudflare,
  project: Project,
  environment: Environment,
  found: Inventory,
  domains: Domains,
  report: Report,
): Promise<void> {
  const { database, namespace, queue, deadLetterQueue, webhookQueue, worker } = environment;
  report.done(`database ${database}`, created(found.databaseId !== null));
  report.done(`KV namespace ${namespace}`, created(found.namespaceId !== null));
  for (const name of [queue, deadLetterQueue, webhookQueue]) {
    report.done(`queue ${name}`, created(found.queues.has(name)));
  }
  const send = found.databaseId === null ? null : openRemoteSql(cloudflare, found.databaseId);
  const pending = await findPending(send);
  report.done('migrations', pending.length > 0 ? `would be applied: ${pending.join(', ')}` : 'none is pending');
  report.done('replicas', found.hasReplicas ? 'are on' : 'would be turned on');
  const hasKeys = found.worker?.secrets.includes('TOKEN_KEYS') === true;
  report.done('signing keys', created(hasKeys));
  report.done('keys for webhooks', created(found.worker?.secrets.includes('WEBHOOK_KEYS') === true));
  report.done(`Worker ${worker}`, found.worker ? 'would be replaced' : 'would be created');
  const changed = changedClasses(project, found.worker).join(', ');
  if (changed !== '') {
    const what = found.worker
      ? `would be changed: ${changed}; then there is no rollback`
      : `would be created: ${changed}`;
    report.done('Durable Objects', what);
  }
  for (const host of domains.hosts) {
    const isBound = found.domains.some((domain) => domain.host === host);
    report.done(`domain ${host}`, isBound ? 'is bound' : 'would be bound');
  }
  for (const host of domains.dropped) report.done(`domain ${host}`, 'would be unbound');
}

import type { Database } from '../database/database.ts';
import type { Site } from '../network/hosts.ts';
import { hostRulesOf, type HostRules } from '../webhooks/inner-hosts.ts';
import type { Services } from './env.ts';

/** The rules of an isolate about the hosts to which it sends requests for customers. */
export function isolateHostRules({ config, proofSources }: Services, db: Database, site: Site | null): HostRules {
  const { domainTarget, webhookLoopback: allowsLoopback } = config;
  const { resolveAddresses } = proofSources;
  return hostRulesOf(db, site, { domainTarget, allowsLoopback, resolveAddresses });
}

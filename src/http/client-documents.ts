import { isDocumentUrl, type Application } from '../accounts/oauth/application.ts';
import { fetchDocument } from '../accounts/oauth/client-document.ts';
import { findRegistered } from '../accounts/oauth/registration.ts';
import { findHostFault } from '../webhooks/inner-hosts.ts';
import type { RequestContext } from './env.ts';
import { isolateHostRules } from './host-rules.ts';

/**
 * Finds the application of a `client_id`: by its registration, or by the document whose URL it is; null if it is unknown.
 * Throws `OAuthError`, `resolver_unavailable`, `store_unavailable`.
 */
export async function findApplication(
  { var: { db, site, services } }: RequestContext,
  id: string,
): Promise<Application | null> {
  if (!isDocumentUrl(id)) return findRegistered(db, id);
  const rules = isolateHostRules(services, db, site);
  return fetchDocument(id, async (url) => (await findHostFault(rules, url, ['https:'])) === null);
}

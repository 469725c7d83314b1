import type { Credential } from '../accounts/grants.ts';
import { isDocumentUrl, type Application } from '../accounts/oauth/application.ts';
import { fetchDocument } from '../accounts/oauth/client-document.ts';
import { findRegistered } from '../accounts/oauth/registration.ts';
import { findHostFault } from '../webhooks/inner-hosts.ts';
import type { RequestContext } from './env.ts';
import { isolateHostRules } from './host-rules.ts';
import { limitRate } from './rate-limits.ts';

/**
 * Finds the application of a `client_id`: by its registration, or by the document whose URL it is; null if it is unknown.
 * Throws `OAuthError`, `too_many_requests`, `resolver_unavailable`, `store_unavailable`.
 *
 * @param credential of the user for whom a document is fetched, which counts as a look-up
 */
export async function findApplication(
  c: RequestContext,
  credential: Credential,
  id: string,
): Promise<Application | null> {
  const { db, site, services } = c.var;
  if (!isDocumentUrl(id)) return findRegistered(db, id);
  await limitRate(c, 'lookup', credential);
  const rules = isolateHostRules(services, db, site);
  return fetchDocument(id, async (url) => (await findHostFault(rules, url, ['https:'])) === null);
}

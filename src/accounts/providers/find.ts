import type { Database } from '../../database/database.ts';
import { parseDomainName } from '../../network/hosts.ts';
import type { Provider } from './provider.ts';
import * as store from './provider-store.ts';

/** The provider of a workspace, on or not; null without one. Throws `store_unavailable`. */
export async function findProviderOf(db: Database, clientId: string): Promise<Provider | null> {
  const row = await db.first<store.ProviderRow>(store.selectProviderOf(clientId));
  return row && store.toProvider(row);
}

/**
 * The provider of the people of an e-mail address, by its domain alone, on or not; null without one. Throws
 * `store_unavailable`.
 */
export async function findProviderOfMail(db: Database, address: string): Promise<Provider | null> {
  const domain = parseDomainName(address.slice(address.lastIndexOf('@') + 1).trim());
  const row = domain === null ? null : await db.first<store.ProviderRow>(store.selectProviderOfMail(domain));
  return row && store.toProvider(row);
}

/** The service's own provider, by the settings. Throws `store_unavailable`. */
export async function getServiceProvider(
  db: Database,
  settings: Pick<Provider, 'issuer' | 'application' | 'name'>,
): Promise<Provider> {
  const id = crypto.randomUUID();
  const [, [row]] = await db.batch<[never, store.ProviderRow]>(
    store.insertServiceProvider({ id, ...settings }, Date.now()),
  );
  if (!row) throw new TypeError('the provider of the service was not stored');
  return store.toProvider(row);
}

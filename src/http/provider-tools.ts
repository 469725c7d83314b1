import { ProviderError } from '../accounts/providers/provider-error.ts';
import type { Provider } from '../accounts/providers/provider.ts';
import type { ProviderTools } from '../accounts/providers/ask-provider.ts';
import { getServiceProvider } from '../accounts/providers/find.ts';
import type { SignInTools } from '../accounts/providers/sign-in.ts';
import type { Database } from '../database/database.ts';
import { isLoopback, type Site } from '../network/hosts.ts';
import { unseal } from '../secrets/sealing.ts';
import { findHostFault } from '../webhooks/inner-hosts.ts';
import type { RequestContext, Services } from './env.ts';
import { isolateHostRules } from './host-rules.ts';
import { pathOfProvider } from './paths.ts';
import { serviceOrigin } from './service-origin.ts';

/** The capabilities of a sign-in at a provider, in a request. */
export function providerToolsOf(c: RequestContext, provider: Pick<Provider, 'clientId'>): SignInTools {
  const { db, site, services } = c.var;
  const { webhookKeys, tokenKeys, serviceProvider } = services.config;
  return {
    ...providerReach(services, db, site, provider),
    db,
    secrets: tokenKeys.map(({ d }) => d),
    sealingKeys: webhookKeys,
    redirectUri: callbackOf(c, provider),
    tenants: serviceProvider?.tenants ?? [],
  };
}

/**
 * The way to a provider, in a request or in the background. That of a workspace is reached within the rules of webhooks;
 * that of the service is the operator's own choice.
 */
export function providerReach(
  services: Services,
  db: Database,
  site: Site | null,
  { clientId }: Pick<Provider, 'clientId'>,
): ProviderTools {
  const { webhookKeys, serviceProvider } = services.config;
  const rules = isolateHostRules(services, db, site);
  const isOfService = clientId === null;
  return {
    memory: isOfService ? services.providers.own : services.providers.ofWorkspaces,
    guard: async (url) => isOfService || (await findHostFault(rules, url, ['https:'])) === null,
    secretOf: async ({ id, issuer, application, secret }) => {
      if (isOfService) {
        // People of a former provider may still be asked about there, and its secret is no longer that of the settings.
        if (issuer !== serviceProvider?.issuer || application !== serviceProvider.application)
          throw new ProviderError('misconfigured', 'The service has another identity provider now.');
        return serviceProvider.secret;
      }
      return secret === null ? null : unseal(webhookKeys, id, secret);
    },
  };
}

/**
 * The redirect URI of a provider. Each has its own, so that no response is taken for that of another one (RFC 9700, section
 * 4.4.2).
 */
export const callbackOf = (c: RequestContext, provider: Pick<Provider, 'clientId'>): string =>
  `${originOf(c)}${pathOfProvider(provider)}/callback`;

/** The service's own provider; null without one. Throws `store_unavailable`. */
export async function serviceProviderOf({ var: { db, services } }: RequestContext): Promise<Provider | null> {
  const { serviceProvider: settings } = services.config;
  if (settings === null) return null;
  const { issuer, application } = settings;
  return getServiceProvider(db, { issuer, application, name: new URL(issuer).host });
}

/** The origin of the pages: that which providers know, or on this machine the one that the browser knows. */
export function originOf({ var: { site } }: RequestContext): string {
  return isLoopback(site.requestUrl) ? site.requestUrl.origin : serviceOrigin(site);
}

import { refresh } from '../accounts/providers/ask-provider.ts';
import { ProviderError } from '../accounts/providers/provider-error.ts';
import type { ConfirmByRefreshToken } from '../accounts/suspension/daily.ts';
import type { Database } from '../database/database.ts';
import type { Services } from '../http/env.ts';
import { providerReach } from '../http/provider-tools.ts';
import { seal, unseal } from '../secrets/sealing.ts';

/** The daily work about providers, in a module that only it loads. */

export { checkMailDomains } from '../accounts/providers/mail-domains.ts';
export { confirmMembers } from '../accounts/suspension/daily.ts';

/** Asks providers of OpenID Connect with the refresh tokens of their people, in the background. */
export function openConfirmation(services: Services, db: Database): ConfirmByRefreshToken {
  const keys = services.config.webhookKeys;
  return async (asked, sealed) => {
    try {
      const next = await refresh(providerReach(services, db, null, asked), asked, await unseal(keys, asked.id, sealed));
      return { outcome: 'confirmed', refreshToken: next === null ? null : await seal(keys, asked.id, next) };
    } catch (error) {
      return { outcome: error instanceof ProviderError && error.failure === 'invalid' ? 'refused' : 'unknown' };
    }
  };
}

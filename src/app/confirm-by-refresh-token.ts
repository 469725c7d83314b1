import { confirmByToken } from '../accounts/providers/confirm-by-token.ts';
import type { ConfirmByRefreshToken } from '../accounts/suspension/daily.ts';
import type { Database } from '../database/database.ts';
import type { Services } from '../http/env.ts';
import { providerReach } from '../http/provider-tools.ts';

/** The daily work about providers, in a module that only it loads. */

export { checkMailDomains } from '../accounts/providers/mail-domains.ts';
export { confirmMembers } from '../accounts/suspension/daily.ts';

/** Asks providers of OpenID Connect with the refresh tokens of their people, in the background. */
export const openConfirmation =
  (services: Services, db: Database): ConfirmByRefreshToken =>
  (asked, sealed) =>
    confirmByToken(providerReach(services, db, null, asked), services.config.webhookKeys, asked, sealed);

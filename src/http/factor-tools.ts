import type { FactorTools } from '../accounts/factors/codes.ts';
import type { RequestContext } from './env.ts';
import { signInGuard } from './sign-in-guard.ts';

/** The capabilities of the verbs of second factors, in a request. */
export function factorToolsOf(c: RequestContext): FactorTools {
  const { db, services } = c.var;
  const { address, limits } = signInGuard(c);
  const { webhookKeys: keys, tokenKeys } = services.config;
  return { db, keys, secrets: tokenKeys.map(({ d }) => d), address, limit: limits.address };
}

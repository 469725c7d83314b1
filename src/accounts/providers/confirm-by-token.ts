import { seal, unseal, type SealingKey } from '../../secrets/sealing.ts';
import type { ConfirmByRefreshToken } from '../suspension/daily.ts';
import { refresh, type ProviderTools } from './ask-provider.ts';
import type { Application } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/**
 * Asks a provider of OpenID Connect with a sealed refresh token whether it still confirms its person. It throws nothing: an
 * outage, and a wrong client secret, say nothing about the person.
 */
export async function confirmByToken(
  tools: ProviderTools,
  keys: readonly SealingKey[],
  asked: Application,
  sealed: string,
): ReturnType<ConfirmByRefreshToken> {
  try {
    const next = await refresh(tools, asked, await unseal(keys, asked.id, sealed));
    return { outcome: 'confirmed', refreshToken: next === null ? null : await seal(keys, asked.id, next) };
  } catch (error) {
    return { outcome: error instanceof ProviderError && error.failure === 'invalid' ? 'refused' : 'unknown' };
  }
}

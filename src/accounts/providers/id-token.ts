import { IdTokenError, verifyIdToken, type IdClaims } from '../../tokens/id-token.ts';
import { keysOf } from './discovery.ts';
import type { Discovered, Provider, ProviderReach } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** Verifies an ID token by the keys of its provider. Throws `ProviderError`, and what the guard throws. */
export async function readIdToken(
  reach: ProviderReach,
  { application }: Pick<Provider, 'application'>,
  described: Discovered,
  token: string,
  nonce: string,
): Promise<IdClaims> {
  const expected = { issuer: described.issuer, audience: application, nonce };
  const verify = async (again: boolean) => verifyIdToken(token, await keysOf(reach, described, { again }), expected);
  return verify(false)
    .catch((error: unknown) => {
      // It may have been added since the keys were read.
      if (error instanceof IdTokenError && error.isOfUnknownKey) return verify(true);
      throw error;
    })
    .catch((error: unknown) => {
      if (!(error instanceof IdTokenError)) throw error;
      throw new ProviderError('invalid', `The provider’s ID token ${error.message}.`, { cause: error });
    });
}

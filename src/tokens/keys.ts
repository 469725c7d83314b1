import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey } from 'jose';
import { parsePrivateJwk, type TokenKey } from '../secrets/jwks.ts';
import { VerifiedTokens } from './verified.ts';

/** JWS algorithm of every token: EdDSA over Ed25519 (RFC 8037). */
export const ALGORITHM = 'EdDSA';

/** A public key as published in the JWK set (RFC 7517). */
interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** RFC 7638 thumbprint, SHA-256, base64url. */
  readonly kid: string;
  readonly alg: typeof ALGORITHM;
  readonly use: 'sig';
}

/** Imported keys: the first one signs, and all of them verify. */
export interface KeyRing {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  readonly published: readonly PublicKey[];
  readonly verified: VerifiedTokens;
}

/** A new private key for `TOKEN_KEYS`. */
export async function generateTokenKey(): Promise<TokenKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const key = parsePrivateJwk(await exportJWK(privateKey));
  if (key === null) throw new TypeError('a generated key is a private Ed25519 JWK');
  return key;
}

/**
 * Opens the keys once per isolate: the ring is kept as a value, because a promise made in one request must not be
 * awaited by another.
 */
export function openKeyRing(keys: readonly TokenKey[]): () => Promise<KeyRing> {
  let ring: KeyRing | undefined;
  return async () => (ring ??= await importKeys(keys));
}

async function importKeys(keys: readonly TokenKey[]): Promise<KeyRing> {
  const published = await Promise.all(keys.map(publish));
  const verifying = new Map(await Promise.all(published.map(async (key) => [key.kid, await importKey(key)] as const)));
  const [first, firstPublished] = [keys[0], published[0]];
  if (!first || !firstPublished) throw new TypeError('a key ring needs at least one key');
  return {
    signing: { kid: firstPublished.kid, key: await importKey(first) },
    verifying,
    published,
    verified: new VerifiedTokens(),
  };
}

async function publish({ kty, crv, x }: TokenKey): Promise<PublicKey> {
  return { kty, crv, x, kid: await calculateJwkThumbprint({ kty, crv, x }), alg: ALGORITHM, use: 'sig' };
}

async function importKey(jwk: TokenKey | PublicKey): Promise<CryptoKey> {
  const key = await importJWK({ ...jwk }, ALGORITHM);
  if (key instanceof Uint8Array) throw new TypeError('an Ed25519 JWK is never a symmetric key');
  return key;
}

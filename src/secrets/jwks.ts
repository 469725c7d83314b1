import { createPrivateKey, createPublicKey } from 'node:crypto';
import { isOctets32, parseKeyList } from './key-list.ts';

/** The Ed25519 keys in the settings, as JWKs: those that sign tokens, and those of the operator's tools. */

/** A private Ed25519 JWK (RFC 8037, section 2), `x` and `d` in base64url. */
export interface TokenKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d: string;
}

/** Parses the JSON list of private JWKs in `TOKEN_KEYS`; null if it is empty or not such a list. */
export function parseTokenKeys(text: string): readonly TokenKey[] | null {
  const keys = parseKeyList(text, parsePrivateJwk);
  return keys?.length === 0 ? null : keys;
}

/** Reads one private JWK; null if it is not one. */
export function parsePrivateJwk(jwk: unknown): TokenKey | null {
  const parsed = readEd25519(jwk);
  if (parsed === null || !isOctets32(parsed.d)) return null;
  const key = { ...parsed, d: parsed.d };
  // With halves of two different keys, every token would be signed and none would verify.
  return publicHalfOf(key) === key.x ? key : null;
}

/**
 * The fields of an Ed25519 JWK, whose private half `d` is not checked; null if it is not one. This needs no schema, since
 * the Worker reads its keys as it loads.
 */
function readEd25519(jwk: unknown): (Omit<TokenKey, 'd'> & { readonly d: unknown }) | null {
  if (typeof jwk !== 'object' || jwk === null) return null;
  const { kty, crv, x, d }: { readonly [Name in keyof TokenKey]?: unknown } = jwk;
  return kty === 'OKP' && crv === 'Ed25519' && isOctets32(x) ? { kty, crv, x, d } : null;
}

function publicHalfOf(jwk: TokenKey): string | undefined {
  const privateKey = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  return createPublicKey(privateKey).export({ format: 'jwk' }).x;
}

/** A public Ed25519 JWK (RFC 8037, section 2). */
export interface OperatorKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** Parses `OPERATOR_KEYS`, a JSON list of public JWKs, which may be empty; null if it is not such a list. */
export function parseOperatorKeys(text: string): readonly OperatorKey[] | null {
  return parseKeyList(text, parsePublicJwk);
}

// A private key is refused, since the service must never hold one.
function parsePublicJwk(jwk: unknown): OperatorKey | null {
  const key = readEd25519(jwk);
  return key !== null && key.d === undefined ? publicHalf(key) : null;
}

/** Parses the private JWK of a tool, as JSON; null if it is not one. */
export function parseOperatorKey(text: string): TokenKey | null {
  try {
    return parsePrivateJwk(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The public half of a key, which the service has. */
export function publicHalf({ kty, crv, x }: OperatorKey): OperatorKey {
  return { kty, crv, x };
}

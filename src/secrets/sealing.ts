import { isOctets32, parseKeyList } from './key-list.ts';

/** Encrypts secrets that have to be read again: AES-256-GCM (NIST SP 800-38D), by keys that can be replaced. */

/** A key as a JWK (RFC 7518, section 6.4): `k` is 32 bytes in base64url, and `kid` names it in what it encrypts. */
export interface SealingKey {
  readonly kty: 'oct';
  readonly kid: string;
  readonly k: string;
}

/** Parses a JSON list of keys, each with an id of its own; null if it is empty or not such a list. */
export function parseSealingKeys(text: string): readonly SealingKey[] | null {
  const keys = parseKeyList(text, parseKey);
  if (keys === null || keys.length === 0) return null;
  return new Set(keys.map(({ kid }) => kid)).size === keys.length ? keys : null;
}

/** A new key. */
export function generateSealingKey(): SealingKey {
  return { kty: 'oct', kid: encode(random(6)), k: encode(random(32)) };
}

/** A text that no key can decrypt: it was changed, belongs to something else, or its key is no longer in the list. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/**
 * Encrypts a text by the first key: `<kid>.<nonce and ciphertext in base64url>`.
 *
 * @param owner what the text belongs to; it can be decrypted only as that
 */
export async function seal([first]: readonly SealingKey[], owner: string, text: string): Promise<string> {
  if (first === undefined) throw new TypeError('there is no key to encrypt with');
  const iv = random(IV_BYTES);
  const sealed = await crypto.subtle.encrypt(cipherOf(iv, owner), await imported(first), Buffer.from(text));
  return `${first.kid}.${encode(Buffer.concat([iv, Buffer.from(sealed)]))}`;
}

/** Decrypts what `seal` gave, by the key that it names. Throws `UnsealError`. */
export async function unseal(keys: readonly SealingKey[], owner: string, sealed: string): Promise<string> {
  const end = sealed.indexOf('.');
  const key = keys.find(({ kid }) => kid === sealed.slice(0, end));
  if (key === undefined) throw new UnsealError(`no key of the list has the id ${sealed.slice(0, Math.max(0, end))}`);
  const bytes = Buffer.from(sealed.slice(end + 1), 'base64url');
  const [iv, ciphertext] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  try {
    const text = await crypto.subtle.decrypt(cipherOf(iv, owner), await imported(key), ciphertext);
    return Buffer.from(text).toString();
  } catch (cause) {
    throw new UnsealError('the text was changed, or belongs to something else', { cause });
  }
}

const IV_BYTES = 12;

const cipherOf = (iv: Uint8Array, owner: string) => ({
  name: 'AES-GCM',
  iv: new Uint8Array(iv),
  additionalData: Buffer.from(owner),
});

const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

// A key is imported once.
const IMPORTED = new WeakMap<SealingKey, Promise<CryptoKey>>();

function imported(key: SealingKey): Promise<CryptoKey> {
  const known = IMPORTED.get(key);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(Buffer.from(key.k, 'base64url'));
  const importing = crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  IMPORTED.set(key, importing);
  return importing;
}

// This needs no schema, since the Worker reads its keys as it loads.
function parseKey(jwk: unknown): SealingKey | null {
  if (typeof jwk !== 'object' || jwk === null) return null;
  const { kty, kid, k }: { readonly [Name in keyof SealingKey]?: unknown } = jwk;
  const isNamed = typeof kid === 'string' && /^[\w-]{1,64}$/.test(kid);
  return kty === 'oct' && isNamed && isOctets32(k) ? { kty, kid, k } : null;
}

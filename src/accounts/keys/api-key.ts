import { hashSecret, newSecret, newSecretId } from '../../secrets/random-secrets.ts';

/** An API key in its parts: the text `tk_<id>_<secret>` is shown once, and only the secret's hash is stored. */
interface ApiKey {
  readonly text: string;
  readonly id: string;
  /** SHA-256 of the secret, base64url. */
  readonly secretHash: string;
}

const PREFIX = 'tk_';
const API_KEY = /^tk_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})$/;

/** Generates a key, or a new secret for the key with this id. */
export function generateApiKey(id: string = newSecretId()): ApiKey {
  const secret = newSecret();
  return { text: `tk_${id}_${secret}`, id, secretHash: hashSecret(secret) };
}

/** Reads a key as a caller presents it; null if the text is not a key. */
export function parseApiKey(text: string): ApiKey | null {
  const [, id, secret] = API_KEY.exec(text) ?? [];
  return id && secret ? { text, id, secretHash: hashSecret(secret) } : null;
}

/** True if a text looks like an API key, complete or not. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

import { hashSecret, newSecret, newSecretId } from '../../secrets/random-secrets.ts';

/** An application password in its parts: `ap_<id>_<secret>` is shown once, and only the secret's hash is stored. */
export interface ApplicationPassword {
  readonly text: string;
  readonly id: string;
  /** SHA-256 of the secret, base64url. */
  readonly secretHash: string;
}

const TEXT = /^ap_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})$/;

export function generateApplicationPassword(): ApplicationPassword {
  const [id, secret] = [newSecretId(), newSecret()];
  return { text: `ap_${id}_${secret}`, id, secretHash: hashSecret(secret) };
}

/** Reads an application password as a caller presents it; null if the text is any other password. */
export function parseApplicationPassword(text: string): ApplicationPassword | null {
  const [, id, secret] = TEXT.exec(text) ?? [];
  return id && secret ? { text, id, secretHash: hashSecret(secret) } : null;
}

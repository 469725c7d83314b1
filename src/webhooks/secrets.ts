import { seal, unseal, type SealingKey } from '../secrets/sealing.ts';

/** The secrets by which webhooks are signed, as Standard Webhooks 1.0.0 writes them. */

/** The secrets of a webhook as they are stored. */
interface StoredSecrets {
  readonly id: string;
  readonly secret: string;
  readonly formerSecret: string | null;
  /** Until when the former secret signs too, in milliseconds since the epoch. */
  readonly formerSecretUntil: number | null;
}

/** The time for which the former secret signs too after a roll, so that receivers can be given the new one. */
export const FORMER_WEBHOOK_SECRET_MS = 24 * 3600 * 1000;

const PREFIX = 'whsec_';
const SECRET_BYTES = 24;

/** A new secret: `whsec_` and 24 random bytes in base64. */
export const newWebhookSecret = (): string =>
  `${PREFIX}${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')}`;

/** Encrypts a secret, bound to its webhook. */
export const sealSecret = (keys: readonly SealingKey[], webhookId: string, secret: string): Promise<string> =>
  seal(keys, webhookId, secret);

/** Decrypts the current secret of a webhook: `whsec_…`. Throws `UnsealError`. */
export const openSecret = (
  keys: readonly SealingKey[],
  { id, secret }: Pick<StoredSecrets, 'id' | 'secret'>,
): Promise<string> => unseal(keys, id, secret);

/** Decrypts the secrets that sign for a webhook now, the current one first. Throws `UnsealError`. */
export async function openSecrets(
  keys: readonly SealingKey[],
  webhook: StoredSecrets,
  nowMs: number,
): Promise<readonly string[]> {
  const { id, formerSecret, formerSecretUntil } = webhook;
  const former =
    formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > nowMs
      ? [openSecret(keys, { id, secret: formerSecret })]
      : [];
  return Promise.all([openSecret(keys, webhook), ...former]);
}

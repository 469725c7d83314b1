import { createHmac } from 'node:crypto';

/** Signatures of Standard Webhooks 1.0.0: https://www.standardwebhooks.com/ */

const PREFIX = 'whsec_';

/** The message that a webhook is sent. */
export interface SignedMessage {
  /** The id of the event, the same in each attempt. */
  readonly id: string;
  /** When it is sent, in whole seconds since the epoch. */
  readonly timestampSeconds: number;
  readonly body: string;
}

/**
 * The value of `webhook-signature`: a signature for each secret, between spaces.
 *
 * @param secrets such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`
 */
export function signaturesOf({ id, timestampSeconds, body }: SignedMessage, secrets: readonly string[]): string {
  const content = `${id}.${timestampSeconds}.${body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`)
    .join(' ');
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');

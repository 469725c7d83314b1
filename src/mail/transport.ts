import { readStart } from '../bounds/read-start.ts';

/** The ways by which mails leave: the binding of Cloudflare, or an HTTP API of mail. */

/** A mail as it is sent. */
interface OutgoingMail {
  /** Its own, which stays if it is sent again. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The sender of all mails. */
interface Sender {
  readonly name: string;
  readonly address: string;
}

/** The result: sent, or why not. A refusal will not change by trying again. */
type Sent = 'sent' | { readonly error: string; readonly isRefusal: boolean };

export type MailTransport = (mail: OutgoingMail) => Promise<Sent>;

/** The longest that a request to an API of mail takes. */
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1024;

/** Sends by Cloudflare's binding: https://developers.cloudflare.com/email-service/ */
export function openBinding(binding: Pick<SendEmail, 'send'>, { name, address }: Sender): MailTransport {
  return async ({ to, subject, text, html }) => {
    try {
      const from = { name, email: address };
      await binding.send({ from, to, subject, text, html });
      return 'sent';
    } catch (cause) {
      return { error: codeOf(cause), isRefusal: false };
    }
  };
}

/**
 * Sends by an HTTP API: a POST of JSON `{from, to, subject, text, html}` with a bearer token. Each 2xx means sent. `id` is
 * its `Idempotency-Key`, so that an API that knows it does not send a mail twice.
 */
export function openHttp(
  { url, token }: { readonly url: URL; readonly token: string },
  { name, address }: Sender,
  timeoutMs = TIMEOUT_MS,
): MailTransport {
  const from = `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}" <${address}>`;
  return async ({ id, to, subject, text, html }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': id,
          ...(token !== '' && { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ from, to: [to], subject, text, html }),
        redirect: 'manual',
        signal,
      });
      // The connection is free once the response is read. What an API says of a mail can have its address in it.
      await readStart(response, MAX_RESPONSE_BYTES);
      if (response.ok) return 'sent';
      return { error: `http_${response.status}`, isRefusal: REFUSALS.has(response.status) };
    } catch {
      return { error: signal.aborted ? 'timeout' : 'unreachable', isRefusal: false };
    }
  };
}

/** The mail itself is not accepted. A wrong token or too many requests can change. */
const REFUSALS = new Set([400, 413, 422]);

// Errors of the binding have a code such as E_SENDER_NOT_VERIFIED; their message can have the address.
function codeOf(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'binding_failed';
}

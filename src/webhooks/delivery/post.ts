import { readStart } from '../../bounds/read-start.ts';
import { signaturesOf, type SignedMessage } from './sign.ts';

/** Why no response came. */
export type Fault = 'timeout' | 'unreachable' | 'refused_host' | 'refused_port' | 'unreadable_secret';

/** The result of one request to a receiver. */
export interface Posted {
  /** Null if no response came. */
  readonly status: number | null;
  readonly fault: Fault | null;
  /** True if the time was over before the response was read. */
  readonly isTimedOut: boolean;
  /** The beginning of the response, as text. */
  readonly answer: string;
}

/** The longest that an attempt takes, including what is read of the response. */
export const ATTEMPT_MS = 15_000;
const MAX_RESPONSE_BYTES = 1024;

/**
 * Sends a message, signed by each of the secrets. Redirects are not followed, since they would lead to a host that was not
 * checked. Never throws.
 */
export async function post(
  url: string,
  message: SignedMessage,
  secrets: readonly string[],
  timeoutMs = ATTEMPT_MS,
): Promise<Posted> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Terse-Webhooks/1',
        'webhook-id': message.id,
        'webhook-timestamp': String(message.timestampSeconds),
        'webhook-signature': signaturesOf(message, secrets),
      },
      body: message.body,
      redirect: 'manual',
      signal,
    });
    // The status decides: a receiver that has answered is not sent the event again because of how the response ends.
    const start = await startOf(response);
    return { status: response.status, fault: null, isTimedOut: signal.aborted, answer: start };
  } catch {
    const fault = signal.aborted ? 'timeout' : 'unreachable';
    return { status: null, fault, isTimedOut: signal.aborted, answer: '' };
  }
}

async function startOf(response: Response): Promise<string> {
  const start = await readStart(response, MAX_RESPONSE_BYTES);
  // A character that is cut at the end is left out. SQLite would end the text at a NUL.
  return new TextDecoder().decode(start, { stream: true }).replaceAll('\0', '\u{fffd}');
}

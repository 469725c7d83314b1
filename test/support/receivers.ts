import { inject } from 'vitest';

/** The response of a receiver to a request. */
export interface Behaviour {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer?: string;
  /** The part of the response that never begins, or never ends. */
  readonly hangs?: 'before' | 'after';
  /** True if the receiver closes the connection without a response. */
  readonly ends?: boolean;
}

/** A request as a receiver got it. */
export interface Received {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Receiver {
  readonly url: string;
  readonly received: () => Promise<readonly Received[]>;
}

/** Opens a receiver that answers each request with the next of these behaviours, and all further ones with the last. */
export async function openReceiver(...behaviours: readonly Behaviour[]): Promise<Receiver> {
  const url = `${inject('receiverOrigin')}/${crypto.randomUUID()}`;
  await fetch(url, { method: 'PUT', body: JSON.stringify(behaviours) });
  return { url, received: async () => (await fetch(url)).json<Received[]>() };
}

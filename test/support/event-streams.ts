import { expect, onTestFinished } from 'vitest';

/** An event of a stream, with its data parsed; a comment has only that. */
interface StreamEvent {
  readonly event?: string;
  readonly id?: string;
  readonly retry?: string;
  readonly data?: unknown;
  readonly comment?: string;
}

export interface EventReader {
  /** The next event or comment; null at the end. */
  readonly next: () => Promise<StreamEvent | null>;
  /** The next event with this name. What comes before it, except comments, must not come. */
  readonly expect: (event: string) => Promise<StreamEvent>;
  readonly stop: () => Promise<void>;
}

/** Reads a stream that has begun, which ends with the test. */
export async function eventsOf(response: Response): Promise<EventReader> {
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let waiting = '';
  let isStopped = false;
  const next = async (): Promise<StreamEvent | null> => {
    while (!waiting.includes('\n\n')) {
      const { value, done } = await reader.read();
      if (done) return null;
      waiting += decoder.decode(value, { stream: true });
    }
    const [block = '', ...rest] = waiting.split('\n\n');
    waiting = rest.join('\n\n');
    return parse(block);
  };
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await reader.cancel();
  };
  onTestFinished(stop);
  expect(await next()).toEqual({ retry: '6000', comment: 'connected' });
  return {
    next,
    async expect(name) {
      for (;;) {
        const found = await next();
        if (found?.comment !== undefined) continue;
        expect(found?.event).toBe(name);
        return found!;
      }
    },
    stop,
  };
}

/** The bytes of a body, of a stream of events only the first ones. */
export async function bytesOf(response: Response): Promise<ArrayBuffer> {
  if (response.headers.get('Content-Type') !== 'text/event-stream' || response.body === null)
    return response.arrayBuffer();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new Uint8Array(value ?? []).buffer;
}

function parse(block: string): StreamEvent {
  const fields = block.split('\n').map((line) => {
    const [, name = '', value = ''] = /^(\w*): (.*)$/.exec(line) ?? [];
    return [name === '' ? 'comment' : name, name === 'data' ? (JSON.parse(value) as unknown) : value] as const;
  });
  return Object.fromEntries(fields);
}

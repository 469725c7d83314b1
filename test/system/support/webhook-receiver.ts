import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';

/** A request to a receiver, once its signature was verified. */
export interface Delivered {
  readonly id: string;
  readonly body: string;
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
}

export interface Receiver {
  readonly url: string;
  /** The secret by which it verifies; set it once the webhook is created. */
  secret: string;
  /** All that came, in order. */
  readonly delivered: readonly Delivered[];
  /** The errors of requests. */
  readonly faults: readonly string[];
  close(): void;
}

/**
 * A receiver of webhooks on this machine, which verifies each request with the package `standardwebhooks`.
 *
 * @param respond answers the request with this number, from 0
 */
export async function startReceiver(respond: (response: ServerResponse, number: number) => void): Promise<Receiver> {
  const delivered: Delivered[] = [];
  const faults: string[] = [];
  const server = createServer((request, response) => {
    text(request)
      .then((body) => {
        const headers = request.headers as Record<string, string>;
        const event = new Webhook(receiver.secret).verify(body, headers) as Delivered['event'];
        delivered.push({ id: headers['webhook-id'] ?? '', body, event });
        return respond(response, delivered.length - 1);
      })
      .catch((error: unknown) => {
        faults.push(String(error));
        response.writeHead(400).end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const receiver: Receiver = {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    secret: '',
    delivered,
    faults,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  onTestFinished(() => receiver.close());
  return receiver;
}

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service on this machine that responds as a test says, and keeps what it was sent. */

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

export interface StubService {
  readonly origin: string;
  readonly sent: Sent[];
  close(): void;
}

/** @param respond is called with the number of the request, from 0 */
export async function openStub(
  respond: (response: ServerResponse, index: number, sent: Sent) => void,
): Promise<StubService> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const bytes = Buffer.concat(chunks);
      const all = { method, url, headers, bytes, body: bytes.toString() };
      sent.push(all);
      respond(response, sent.length - 1, all);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    sent,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends a document. */
export function sendJson(response: ServerResponse, document: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': status < 300 ? 'application/json' : 'application/problem+json' });
  response.end(JSON.stringify(document));
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import type { Behaviour, Received } from './receivers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the tests' receiver of webhooks. */
    readonly receiverOrigin: string;
  }
}

/**
 * A receiver of webhooks on this machine; each path is one of its own. `PUT` sets how it answers, one behaviour for
 * each request and the last one for all further ones; `POST` is answered by that; `GET` returns the requests so far.
 */
export default async function startReceiver(project: TestProject): Promise<() => void> {
  const behaviours = new Map<string, Behaviour[]>();
  const received = new Map<string, Received[]>();
  const server = createServer((request, response) => {
    answer(behaviours, received, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('receiverOrigin', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

async function answer(
  behaviours: Map<string, Behaviour[]>,
  received: Map<string, Received[]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url: path = '', method = '' } = request;
  const body = await text(request);
  if (method === 'PUT') {
    behaviours.set(path, JSON.parse(body) as Behaviour[]);
    return void response.writeHead(204).end();
  }
  const requests = received.get(path) ?? [];
  if (method === 'GET' && request.headers['webhook-id'] === undefined) {
    return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(requests));
  }
  const list = behaviours.get(path) ?? [{}];
  const { status = 200, headers = {}, answer = '', hangs, ends } = (list.length > 1 ? list.shift() : list[0]) ?? {};
  received.set(path, [...requests, { method, headers: request.headers as Received['headers'], body }]);
  if (ends) return void request.socket.destroy();
  if (hangs === 'before') return;
  response.writeHead(status, headers);
  if (hangs === 'after') return void response.write(answer);
  response.end(answer);
}

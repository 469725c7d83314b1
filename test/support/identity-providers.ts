import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import type { Scripted } from './provider-settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of issuers whose responses tests script. */
    readonly scriptedOrigin: string;
    /** The issuer of a real provider. */
    readonly realIssuer: string;
  }
}

/** The providers of the tests, outside of the process of the service: one whose responses are scripted, and a real one. */
export default async function startProviders(project: TestProject): Promise<() => void> {
  const scripts = new Map<string, Scripted>();
  const requests = new Map<string, number>();
  const scripted = createServer((request, response) => {
    respond(scripts, requests, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  let real: Promise<RequestListener> | undefined;
  const provider = createServer((request, response) => {
    // Most runs need none, and it takes a while to load.
    real ??= import('./real-provider.ts').then(({ openRealProvider }) => openRealProvider(originOf(provider)));
    real.then((listen) => listen(request, response)).catch((error: unknown) => response.destroy(error as Error));
  });
  for (const server of [scripted, provider])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('scriptedOrigin', originOf(scripted));
  project.provide('realIssuer', originOf(provider));
  return () => {
    for (const server of [scripted, provider]) {
      server.close();
      server.closeAllConnections();
    }
  };
}

const originOf = (server: ReturnType<typeof createServer>) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** `PUT` sets the response of a path, `DELETE` gets the number of its requests, and others get the response. */
async function respond(
  scripts: Map<string, Scripted>,
  requests: Map<string, number>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const body = await text(request);
  if (request.method === 'PUT') {
    scripts.set(path, JSON.parse(body) as Scripted);
    return void response.writeHead(204).end();
  }
  const before = requests.get(path) ?? 0;
  if (request.method === 'DELETE') return void response.writeHead(200).end(String(before));
  requests.set(path, before + 1);
  const { status = 200, headers = {}, body: answer = '', hangs } = scripts.get(path) ?? { status: 404 };
  if (hangs) return;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(answer);
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import type { Page, Requested, Site } from './origins.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin that opens other ones for tests. */
    readonly originsUrl: string;
  }
}

/**
 * Opens web servers on this machine, as the destinations of links. `POST` with a `Site` opens one and returns its
 * port, `PUT` of `/{port}` changes its pages, `GET` of `/{port}` returns its requests so far, and `DELETE` of
 * `/{port}` ends it.
 */
export default async function provideOrigins(project: TestProject): Promise<() => void> {
  const opened = new Map<string, Opened>();
  const control = createServer((request, response) => {
    answer(opened, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  project.provide('originsUrl', `http://127.0.0.1:${await listen(control)}`);
  return () => [control, ...[...opened.values()].map(({ server }) => server)].forEach(end);
}

interface Opened {
  readonly server: Server;
  site: Site;
  readonly requests: Requested[];
}

async function answer(opened: Map<string, Opened>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (request.method === 'POST') {
    const requests: Requested[] = [];
    const one: Opened = {
      server: createServer((...pair) => serve(one, ...pair)),
      site: JSON.parse(body) as Site,
      requests,
    };
    const port = await listen(one.server);
    opened.set(String(port), one);
    return void response.end(String(port));
  }
  const port = request.url?.slice(1) ?? '';
  const one = opened.get(port);
  if (one === undefined) return void response.writeHead(404).end();
  if (request.method === 'PUT') one.site = JSON.parse(body) as Site;
  if (request.method === 'DELETE') end(one.server);
  response.end(JSON.stringify(one.requests));
}

function serve({ site, requests }: Opened, request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url: path = '', headers } = request;
  requests.push({ method, path, headers: headers as Requested['headers'], at: Date.now() });
  const page: Page = site[`${method} ${path}`] ?? site[path] ?? { status: 404 };
  if (page.ends) return void request.socket.destroy();
  // A test that is over does not wait for it.
  setTimeout(() => respond(page, method, response), page.afterMs ?? 0).unref();
}

function respond(
  { status = 200, headers = {}, body = '', base64, afterwards }: Page,
  method: string,
  to: ServerResponse,
) {
  const bytes = base64 === undefined ? Buffer.from(body) : Buffer.from(base64, 'base64');
  const repeat = (): void => {
    while (!to.destroyed && to.write(bytes));
    to.once('drain', repeat);
  };
  to.writeHead(status, headers);
  if (method === 'HEAD') to.end();
  else if (afterwards === undefined) to.end(bytes);
  else if (afterwards === 'hangs') to.write(bytes);
  else repeat();
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { ORIGIN } from './browser.ts';

/** A website that says by what method it was asked, and has forms that send themselves to a path of the service. */
export async function startSite() {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site.invalid');
    const to = url.searchParams.get('to');
    response.setHeader('Content-Type', 'text/html');
    if (url.pathname === '/favicon.ico') response.end();
    else if (to !== null)
      response.end(`<!doctype html><title>Elsewhere</title><form method="post" action="${ORIGIN}${to}">
        <input name="asked" value="${url.searchParams.get('asked')}"><button>Win</button></form>`);
    else {
      arrived.push(`${request.method} ${url.pathname}${url.search} ${request.headers.referer ?? 'from nowhere'}`);
      response.end('<!doctype html><title>Arrived</title><h1>Arrived</h1>');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { arrived, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { closeServer } from './api.ts';
import type { Authority } from './certificates.ts';
import type { Edge } from './edge.ts';
import { findTarget } from './hosts.ts';
import type { Account } from './state.ts';

/**
 * The internet, as far as the stub's hosts go: a proxy (RFC 9110, 9.3.6) that answers for them by TLS. A child uses it
 * by `HTTPS_PROXY`.
 */
interface Proxy {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Host names that were asked for and that the stub does not have, such as `api.cloudflare.com`. */
  readonly strangers: string[];
  close(): Promise<void>;
}

export async function startProxy(accounts: readonly Account[], edge: Edge, authority: Authority): Promise<Proxy> {
  const strangers: string[] = [];
  const sockets = new Set<Socket>();
  const visits = createServer((request, response) => edge.serve(request, response));

  async function answer(socket: Socket, host: string): Promise<void> {
    const target = findTarget(accounts, host);
    if (target === null) {
      strangers.push(host);
      // As if the name were not found.
      socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (target.domain !== null && target.domain.handshakesToFail > 0) {
      target.domain.handshakesToFail--;
      socket.once('data', () => socket.end(HANDSHAKE_FAILURE));
      return;
    }
    const secureContext = await authority.contextFor(host);
    const secure = new TLSSocket(socket, { isServer: true, secureContext });
    secure.on('error', () => socket.destroy());
    visits.emit('connection', secure);
  }

  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const [host = '', port = ''] = (request.url ?? '').split(':');
    if (LOOPBACK.has(host)) tunnel(socket, host, Number(port));
    else void answer(socket, host).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    strangers,
    async close() {
      for (const socket of sockets) socket.destroy();
      visits.closeAllConnections();
      await closeServer(server);
    },
  };
}

// An alert (RFC 8446, 6): fatal, handshake_failure. Cloudflare sends it for a host that has no certificate yet.
const HANDSHAKE_FAILURE = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);

// For clients that ignore NO_PROXY.
const LOOPBACK = new Set(['127.0.0.1', 'localhost']);

function tunnel(socket: Socket, host: string, port: number): void {
  const onward = connect(port, host, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

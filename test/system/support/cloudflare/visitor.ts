import { request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import type { Answer } from '../../../scripts/support/server.ts';

export interface Visit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * One request by HTTPS through a proxy, on a connection of its own; follows nothing. Rejects if the name is not found or
 * the TLS handshake fails.
 *
 * @param proxy `http://127.0.0.1:PORT`
 * @param ca the certificate of the authority, as PEM
 */
export async function visit(proxy: string, ca: string, url: string, visit: Visit = {}): Promise<Answer> {
  const { hostname, host, pathname, search } = new URL(url);
  const tunnel = await openTunnel(proxy, `${hostname}:443`);
  const secure = connect({ socket: tunnel, servername: hostname, ca: [ca], ALPNProtocols: ['http/1.1'] });
  return new Promise((resolve, reject) => {
    secure.once('error', reject);
    secure.once('secureConnect', () => {
      const sent = request({
        createConnection: () => secure,
        method: visit.method ?? 'GET',
        path: pathname + search,
        headers: { ...visit.headers, Host: host, Connection: 'close' },
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        );
      });
      sent.end(visit.body);
    });
  });
}

function openTunnel(proxy: string, target: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const sent = request(proxy, { method: 'CONNECT', path: target, agent: false });
    sent.once('error', reject);
    sent.once('connect', (response, socket: Socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(new Error(`${target} was not found`));
    });
    sent.end();
  });
}

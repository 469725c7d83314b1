import { createServer } from 'node:http';
import { failureBody, failureHeaders } from '../src/http/failure.ts';
import { stoppingError } from './edge/stopping-error.ts';
import { LOOPBACK } from './ports.ts';

/** The response that visitors get while the server stops, once workerd has left its port. */

const RETRY_MS = 5;

/** Where visitors reach a server. */
export interface FrontAddress {
  readonly port: number;
  /** An address, or `localhost` for both loopback addresses. */
  readonly host: string;
}

/**
 * Answers every request with 503, until this process ends: callers try again after it, as they may not at a
 * closed port.
 */
export function respondWhileStopping({ host, port }: FrontAddress): void {
  const error = stoppingError();
  const body = JSON.stringify(failureBody(error));
  const headers = { ...failureHeaders(error), Connection: 'close', 'Content-Type': 'application/json' };
  for (const address of host === 'localhost' ? LOOPBACK : [host]) {
    const server = createServer((_, response) => response.writeHead(error.status, headers).end(body));
    // Until workerd has closed the port. A machine may have no IPv6.
    server.on('error', () => void setTimeout(() => server.listen(port, address), RETRY_MS).unref());
    server.listen(port, address);
  }
}

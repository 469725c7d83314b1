import { connect } from 'node:net';
import { listen } from './processes.ts';

/** Requests that no client would send, byte by byte. */

export interface RawAnswer {
  readonly status: number;
  /** All that came, with its head. */
  readonly text: string;
}

interface RawRequest {
  readonly method?: string;
  /** The lines after the first, each a header. */
  readonly lines: readonly string[];
  readonly body?: string;
  /** The loopback address to send from. */
  readonly from?: string;
}

const TIMEOUT_MS = 120_000;

/** Sends a request, and gives what came back until the other side hung up. Throws where it does not. */
export function sendRaw(port: number, target: string, request: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', lines, body = '', from = '127.0.0.1' } = request;
  const head = [`${method} ${target} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n');
  return sendText(port, `${head}\r\n\r\n${body}`, from);
}

/** Sends a text, and gives what came back until the other side hung up. Throws where it does not. */
export function sendText(port: number, sent: string, from = '127.0.0.1'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const text = listen(socket);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no end to the answer: ${text()}`)));
    socket.once('error', reject);
    socket.once('close', () => resolve({ status: Number(/^HTTP\/1\.\d (\d{3}) /.exec(text())?.[1]), text: text() }));
    socket.write(sent, 'latin1');
  });
}

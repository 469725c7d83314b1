import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Traffic } from './deployments.ts';
import { findTarget } from './hosts.ts';
import { recordOf, type Failure, type Failures } from './requests.ts';
import type { Runtime } from './runtime.ts';
import type { Account } from './state.ts';

/** The part of Cloudflare between a visitor and a Worker. */
export interface Edge {
  /** Serves a request that arrived by HTTPS. */
  serve(request: IncomingMessage, response: ServerResponse): void;
}

interface Surroundings {
  readonly runtime: Runtime;
  readonly traffic: Traffic;
  /** Which requests fail. */
  readonly failures: Failures;
  /** The address of all visitors, such as `192.0.2.1`. */
  readonly visitor: string;
}

export function createEdge(accounts: readonly Account[], { runtime, traffic, failures, visitor }: Surroundings): Edge {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const failure = failures.next(recordOf(request, new URL(request.url ?? '/', 'https://host.invalid'), undefined));
    if (failure !== null && failure.takesEffect !== true) return fail(response, failure);
    const host = request.headers.host ?? '';
    const target = findTarget(accounts, host.replace(/:\d+$/, ''), request.url);
    const overrides = String(request.headers['cloudflare-workers-version-overrides'] ?? '');
    const version = target?.script ? traffic.choose(target.script, overrides) : null;
    if (target?.script == null || version === null) return refuse(response, 404, 'There is nothing here yet');
    const address = await runtime.start(target.account, target.script, version);
    const ofEdge = { 'cf-connecting-ip': visitor, 'x-forwarded-proto': 'https', ...address.headers };
    const headers = { ...request.headers, ...ofEdge };
    const onward = send(address.url, {
      method: request.method,
      path: request.url,
      // Miniflare shows a Worker this address as that of the request.
      headers: { ...headers, 'mf-original-url': `https://${host}${request.url}` },
    });
    onward.on('response', (answer) => {
      if (failure !== null) return fail(response, failure);
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      pipeline(answer, response, () => {});
    });
    onward.on('error', () => refuse(response, 502, 'error code: 502'));
    pipeline(request, onward, () => {});
  }

  return {
    serve(request, response) {
      serve(request, response).catch((error: unknown) => {
        console.error('A Worker of the stub cannot be started:', error);
        // https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-1xxx-errors/
        refuse(response, 500, 'error code: 1101');
      });
    },
  };
}

// https://developers.cloudflare.com/workers/observability/errors/
const EXCEPTION = { status: 500, code: 1101, message: 'Worker threw exception' };

function fail(response: ServerResponse, { answer = EXCEPTION }: Failure): void {
  if (answer === 'drop') response.socket?.destroy();
  else refuse(response, answer.status, `error code: ${answer.code}`);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': 'text/plain' });
  response.end(text);
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Call, Handler, Routes } from './call.ts';
import { responseOf, answerOfError, ApiError, type Answer } from './envelope.ts';
import { Failures, recordOf, summaryOf, type RecordedRequest } from './requests.ts';
import type { Account } from './state.ts';

/**
 * The HTTP server of `https://api.cloudflare.com/client/v4`: records, authenticates and routes, and fails where a test
 * says so.
 */

const BASE = '/client/v4';

interface Api {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly requests: RecordedRequest[];
  /** Requests that no handler knows, such as `GET /zones/1/settings`. */
  readonly unknown: string[];
  readonly failures: Failures;
  close(): Promise<void>;
}

/** Starts the server on a free port of 127.0.0.1. @param token the API token that it takes */
export async function startApi(accounts: readonly Account[], token: string, routes: Routes): Promise<Api> {
  const [requests, unknown, failures] = [[] as RecordedRequest[], [] as string[], new Failures()];
  const known = Object.entries(routes).map(([route, handler]) => compile(route, handler));
  // The more literal route wins: `…/domains/records` before `…/domains/:domain`.
  known.sort((a, b) => a.names.length - b.names.length);

  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      console.error('The stub of Cloudflare failed:', error);
      send(response, answerOfError({ status: 500, code: 10013, message: String(error) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const url = new URL(request.url ?? '/', origin);
    const method = request.method ?? 'GET';
    const path = url.pathname.startsWith(BASE) ? url.pathname.slice(BASE.length) : url.pathname;
    const summary = await summaryOf(body, request.headers);
    const record = recordOf(request, { pathname: path, search: url.search }, summary);
    requests.push(record);
    const failure = failures.next(record);
    const base = { method, path, query: url.searchParams, headers: request.headers, body, accounts, origin };
    const answer = failure === null || failure.takesEffect === true ? await responseTo(base) : null;
    if (failure?.answer === 'drop') {
      request.socket.destroy();
      return;
    }
    const sent = failure === null ? answer : answerOfError(failure.answer ?? UNKNOWN_ERROR);
    if (sent === null) return;
    record.status = sent.status;
    send(response, sent);
  }

  async function responseTo(base: Omit<Call, 'params' | 'account'>): Promise<Answer> {
    try {
      const route = known.find(({ method, path }) => method === base.method && path.test(base.path));
      if (route === undefined) {
        unknown.push(`${base.method} ${base.path}`);
        throw new ApiError(
          404,
          7003,
          `Could not route to ${BASE}${base.path}, perhaps your object identifier is invalid?`,
        );
      }
      const values = route.path.exec(base.path)?.slice(1) ?? [];
      const params = Object.fromEntries(
        route.names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]),
      );
      if (!OPEN.test(base.path)) authenticate(base, token);
      return responseOf(await route.handler({ ...base, params, account: accountOf(accounts, params['account']) }));
    } catch (error) {
      if (error instanceof ApiError) return answerOfError(error);
      throw error;
    }
  }

  return { origin, requests, unknown, failures, close: () => closeServer(server) };
}

const UNKNOWN_ERROR = {
  status: 500,
  code: 10013,
  message: 'An unknown error has occurred. If this error persists, please report it to Cloudflare.',
};

// Requests with credentials of their own: the JWT of an upload of assets, and a signed address.
const OPEN = /\/workers\/assets\/upload$|^\/d1-import\//;

function authenticate({ headers }: Pick<Call, 'headers'>, token: string): void {
  if (headers.authorization !== `Bearer ${token}`) throw new ApiError(401, 10000, 'Authentication error');
}

// An account of others looks like one without permission.
function accountOf(accounts: readonly Account[], id: string | undefined): Account {
  const account = id === undefined ? accounts[0] : accounts.find((each) => each.id === id);
  if (account === undefined) throw new ApiError(403, 10000, 'Authentication error');
  return account;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly names: readonly string[];
  readonly handler: Handler;
}

function compile(route: string, handler: Handler): Route {
  const [method = '', path = ''] = route.split(' ');
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return { method, path: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`), names, handler };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** Closes a server and its connections. */
export function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

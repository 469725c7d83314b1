import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './envelope.ts';
import type { Account, Script, Source } from './state.ts';

/** One request to the API, for its handler. */
export interface Call {
  readonly method: string;
  /** Without `/client/v4` and without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The values of `:name` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The account that the path names, or else the first one. */
  readonly account: Account;
  readonly accounts: readonly Account[];
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
}

/** Returns the result, or a `Page` or `Raw`; throws an `ApiError`. */
export type Handler = (call: Call) => unknown;

/** Handlers by method and path, such as `GET /accounts/:account/queues`. */
export type Routes = Readonly<Record<string, Handler>>;

/** The body as JSON. Throws code 10026 if it is none (https://developers.cloudflare.com/queues/reference/error-codes/). */
export function jsonOf({ body }: Pick<Call, 'body'>): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ApiError(400, 10026, 'could not unmarshal request body');
  }
}

/** The body as a form. */
export function formOf({ body, headers }: Pick<Call, 'body' | 'headers'>): Promise<FormData> {
  const type = headers['content-type'] ?? '';
  return new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData();
}

/** The Worker that the path names. Throws code 10007, as wrangler knows it (`isWorkerNotFoundError`). */
export function scriptOf({ account, params }: Call): Script {
  const script = account.scripts.get(params['script'] ?? '');
  if (script === undefined) throw new ApiError(404, 10007, 'This Worker does not exist on your account.');
  return script;
}

/** Which program a change comes from: the API keeps it as `source` and as `last_deployed_from`. */
export function sourceOf({ headers }: Call): Source {
  return headers['user-agent']?.startsWith('wrangler/') ? 'wrangler' : 'api';
}

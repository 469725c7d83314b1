import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { formOf } from './call.ts';

/** A request to the API, as a test sees it. */
export interface RecordedRequest {
  readonly method: string;
  /** Without `/client/v4` and without the query. */
  readonly path: string;
  /** The query with its question mark, or empty. */
  readonly query: string;
  /** The name of the program, from `User-Agent`: `wrangler`, or `node` for `fetch` of Node. */
  readonly agent: string;
  /**
   * The body: JSON as its value; a form as an object of the values of its fields, with JSON read and files as
   * `{ type, bytes }`; else text. Undefined if there is none.
   */
  readonly body: unknown;
  /** The status that was sent; null while the request runs, and if the connection was dropped. */
  status: number | null;
}

/** Records a request before its response. */
export function recordOf(
  { method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  url: Pick<URL, 'pathname' | 'search'>,
  body: unknown,
): RecordedRequest {
  const agent = headers['user-agent']?.replace(/\/.*/, '') ?? '';
  return { method, path: url.pathname, query: url.search, agent, body, status: null };
}

/** Summarizes a body for `RecordedRequest.body`. */
export async function summaryOf(body: Buffer, headers: IncomingHttpHeaders): Promise<unknown> {
  if (body.length === 0) return undefined;
  if (!headers['content-type']?.startsWith('multipart/')) return jsonOrText(body.toString());
  const form = await formOf({ body, headers });
  return Object.fromEntries(
    [...form].map(([name, value]) => [
      name,
      typeof value === 'string' ? jsonOrText(value) : { type: value.type, bytes: value.size },
    ]),
  );
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The failure of a request in place of its response. */
export interface Failure {
  /** True if the request takes effect before it fails. Default: false. */
  readonly takesEffect?: boolean;
  /**
   * `drop` closes the connection without an answer; else the answer. Default: status 500 and code 10013, "An unknown
   * error has occurred.", which wrangler repeats for some requests.
   */
  readonly answer?: 'drop' | { readonly status: number; readonly code: number; readonly message: string };
  /** The number of requests that match and fail. Default: 1. */
  readonly times?: number;
}

/** Which requests fail: the n-th from now on (1 is the next one), or those that match. */
export type Which = number | ((request: RecordedRequest) => boolean);

/** The failures that tests have asked for. */
export class Failures {
  readonly #planned: { which: Which; failure: Failure; left: number }[] = [];

  plan(which: Which, failure: Failure): void {
    this.#planned.push({ which, failure, left: failure.times ?? 1 });
  }

  /** Called once for each request: counts it, and returns how it fails, if it does. */
  next(request: RecordedRequest): Failure | null {
    let found: Failure | null = null;
    for (const planned of this.#planned) {
      if (typeof planned.which === 'number') planned.which--;
      const isMeant = typeof planned.which === 'number' ? planned.which <= 0 : planned.which(request);
      if (found !== null || !isMeant || planned.left <= 0) continue;
      planned.left--;
      found = planned.failure;
    }
    return found;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, Failure } from './outcome.ts';
import { reasonOf } from './reasons.ts';

const MAX_ATTEMPTS = 3;
const LONGEST_WAIT_SECONDS = 10;
const PASSING = new Set([429, 502, 503, 504]);
// As long as a body takes on a slow line, 0.5 Mbit/s.
const BODY_BYTES_A_SECOND = 64 * 1024;

/**
 * A `fetch` with a time-out, which repeats what can be repeated safely: reads, and requests with an `Idempotency-Key`.
 * The time begins again with each part of a response, and is longer for a large body. Redirects are refused, since the
 * key would go to another place.
 *
 * @param seconds how long to wait for the next part of a response
 */
export function transport(seconds: number): (request: Request) => Promise<Response> {
  return async (request) => {
    const isRepeatable = request.method === 'GET' || request.headers.has('Idempotency-Key');
    const firstSeconds = seconds + (await secondsToSend(request));
    for (let attempt = 1; ; attempt++) {
      const isLast = !isRepeatable || attempt === MAX_ATTEMPTS;
      try {
        const response = await send(isLast ? request : request.clone(), firstSeconds, seconds);
        const wait = waitOf(response, attempt);
        if (isLast || wait === null) return response;
        await response.body?.cancel();
        await sleep(wait * 1000);
      } catch (error) {
        if (isLast || error instanceof Failure) throw asFailure(error, request, firstSeconds);
        await sleep(pauseSeconds(attempt) * 1000);
      }
    }
  };
}

async function secondsToSend(request: Request): Promise<number> {
  if (request.body === null) return 0;
  const { size } = await request.clone().blob();
  return Math.floor(size / BODY_BYTES_A_SECOND);
}

async function send(request: Request, firstSeconds: number, seconds: number): Promise<Response> {
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException('no response', 'TimeoutError'));
  let timer = setTimeout(late, firstSeconds * 1000);
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(late, seconds * 1000).unref();
  };
  const response = await fetch(request, { signal: controller.signal, redirect: 'manual' }).finally(() =>
    clearTimeout(timer),
  );
  if (response.status >= 300 && response.status < 400 && response.status !== 304) throw redirected(response);
  if (isForeign(response)) throw notTerse(request.url);
  if (response.body === null) return response;
  again();
  const timed = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, parts) {
        again();
        parts.enqueue(chunk);
      },
      flush: () => clearTimeout(timer),
    }),
  );
  return new Response(timed, response);
}

// Null if the response is final, or names a time that is too long to wait.
function waitOf(response: Response, attempt: number): number | null {
  if (!PASSING.has(response.status)) return null;
  const header = response.headers.get('Retry-After');
  if (header === null || !/^\d{1,6}$/.test(header)) return pauseSeconds(attempt);
  return Number(header) <= LONGEST_WAIT_SECONDS ? Number(header) : null;
}

// Not the same for all, so that callers that failed together do not come back together.
function pauseSeconds(attempt: number): number {
  return 0.3 * 3 ** (attempt - 1) * (0.5 + Math.random());
}

// No request of the command has a page as its response, or nothing.
function isForeign({ ok, status, headers }: Response): boolean {
  return ok && (status === 204 || /^text\/html/i.test(headers.get('Content-Type') ?? ''));
}

/** The failure of a URL at which another service responds. */
export function notTerse(url: string): Failure {
  const sentence = `${new URL(url).origin} does not respond as a Terse service does.`;
  return new Failure(sentence, { code: 'not_terse', remedy: CHECK_URL });
}

/** The cure if the URL may be wrong. */
export const CHECK_URL = 'Check the URL, or sign in with another one: "terse login".';

function redirected(response: Response): Failure {
  const to = response.headers.get('Location') ?? 'another place';
  return new Failure(`The service redirects to ${to}, where the key is not sent.`, {
    code: 'redirected',
    remedy: 'Sign in with the URL of the service itself: "terse login".',
  });
}

/** The failure of a request, or of a response that broke off. */
export function asFailure(error: unknown, { url }: { readonly url: string }, seconds: number): Failure {
  if (error instanceof Failure) return error;
  const { origin } = new URL(url);
  if ((error as Error).name === 'TimeoutError') {
    const remedy = 'Try again, or wait longer with --timeout.';
    const sentence = `${origin} did not respond within ${seconds} s.`;
    return new Failure(sentence, { exit: EXIT.unavailable, code: 'timeout', remedy });
  }
  return new Failure(
    `${origin} cannot be reached: ${reasonOf(causeOf(error))}.`,
    { exit: EXIT.unavailable, code: 'unreachable', remedy: 'Check the URL and the connection, then try again.' },
    { cause: error },
  );
}

function causeOf(error: unknown): NodeJS.ErrnoException {
  const { cause } = error as Error;
  return cause instanceof Error ? cause : (error as Error);
}

import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { OPERATOR_HEADER, OPERATOR_PATH } from '../src/operator/operator.ts';
import type { TokenKey } from '../src/secrets/jwks.ts';
import { signOperatorToken } from '../src/tokens/operator.ts';
import { UsageError } from './cli-error.ts';

/** A failure that may pass: the same command can succeed later. */
export class TemporaryError extends UsageError {}

/** The service, for the operator's tools. */
export interface Service {
  /** Its origin, now or when it last ran; null if that is not known. */
  readonly origin: string | null;
  /** Sends a command, and reads the answer. Throws `UsageError` with the service's sentence. */
  readonly ask: Ask<object>;
  /**
   * Like `ask`, for commands that may be repeated: the request is sent again if the answer is lost. A text is sent
   * unchanged.
   */
  readonly askWithRetry: Ask<object | string>;
}

type Ask<Body> = <Schema extends z.ZodType>(command: string, body: Body, schema: Schema) => Promise<z.output<Schema>>;

interface Transport {
  readonly origin: string;
  readonly key: TokenKey;
  readonly send: (request: Request) => Promise<Response>;
  /** True if a service that does not respond yet is still starting. */
  readonly isStarting: () => Promise<boolean>;
}

const TRIES = 5;
const LONGEST_WAIT_SECONDS = 60;
// A restore asks for a longer wait, and the tools do not wait that long here.
const SHORT_WAIT_SECONDS = 10;
// A first start creates its database before it listens.
const START_TRIES = 240;
const START_WAIT_MS = 250;

export function openService({ origin, key, send, isStarting }: Transport): Service {
  const host = new URL(origin).host;

  async function request(command: string, body: object | string): Promise<Request> {
    return new Request(`${origin}${OPERATOR_PATH}${command}`, {
      method: 'POST',
      // A followed redirect would send the token to another host.
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${await signOperatorToken(key, host)}`,
        'Content-Type': typeof body === 'string' ? 'text/plain' : 'application/json',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async function attempt(command: string, body: object | string, canRepeat: boolean): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const outcome = await send(await request(command, body)).catch((cause: unknown) => ({ cause }));
      if (outcome instanceof Response) {
        // The request was refused before any work was done.
        const canWait =
          outcome.status === 429 || (outcome.status === 503 && canRepeat && waitOf(outcome) <= SHORT_WAIT_SECONDS);
        if (!canWait || tries >= TRIES) return outcome;
        await waitForRetry(outcome);
        continue;
      }
      const { cause } = outcome;
      // A TypeError is a failure of the network. Other errors come from this process, and name the reason.
      if (!(cause instanceof TypeError)) throw cause;
      if (isRefused(cause)) {
        if (tries >= START_TRIES || !(await isStarting())) throw unreachable(origin, cause);
        await setTimeout(START_WAIT_MS);
      } else {
        if (!canRepeat || tries >= TRIES) throw withoutResponse(origin, cause);
        await setTimeout(tries * START_WAIT_MS);
      }
    }
  }

  const ask =
    (canRepeat: boolean): Ask<object | string> =>
    async (command, body, schema) => {
      const response = await attempt(command, body, canRepeat);
      if (response.ok) return schema.parse(await response.json());
      const isTemporary = response.status === 429 || response.status >= 500;
      throw new (isTemporary ? TemporaryError : UsageError)(await sentenceOf(response, origin));
    };

  return { origin, ask: ask(false), askWithRetry: ask(true) };
}

async function waitForRetry(response: Response): Promise<void> {
  await response.body?.cancel();
  await setTimeout(Math.min(waitOf(response), LONGEST_WAIT_SECONDS) * 1000);
}

function waitOf(response: Response): number {
  return Math.max(Number(response.headers.get('Retry-After') ?? 1), 1);
}

const failure = z.object({ error: z.string() });

async function sentenceOf(response: Response, origin: string): Promise<string> {
  const text = await response.text();
  if (response.headers.get(OPERATOR_HEADER) === null) {
    return `The service at ${origin} does not support the operator's tools: deploy this version, or restart it.`;
  }
  if (response.status === 401) {
    return `The service at ${origin} does not accept the key of these tools: deploy it from this folder or restart it, and check the clocks of both machines.`;
  }
  const { error } = failure.parse(JSON.parse(text));
  return error.slice(error.indexOf(': ') + 2);
}

function isRefused({ cause }: TypeError): boolean {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : '';
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

function reasonOf({ cause, message }: TypeError): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

function unreachable(origin: string, cause: TypeError): UsageError {
  return new TemporaryError(`${origin} does not respond (${reasonOf(cause)}): check that the service runs there.`, {
    cause,
  });
}

function withoutResponse(origin: string, cause: TypeError): UsageError {
  return new TemporaryError(
    `The response of the service at ${origin} was lost (${reasonOf(cause)}), so the command may or may not have been executed: check with "npm run account -- list", then try again.`,
    { cause },
  );
}

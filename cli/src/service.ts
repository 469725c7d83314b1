import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../client/terse.d.ts';
import { EXIT, Failure, type FieldFault } from './outcome.ts';
import type { SignIn } from './sign-in.ts';
import { asFailure, CHECK_URL, transport } from './transport.ts';

/** A short link, as the API describes it. */
export type Link = components['schemas']['ManagedLink'];
export type ClickedLink = components['schemas']['ClickedLink'];
export type Stats = components['schemas']['Stats'];
export type ImportResults = components['schemas']['ImportResults'];

/** The API of a service, called with a key. */
export interface Service {
  readonly api: Client<paths>;
  /** The client that `--client` or the sign-in names; without it the only one of the key. */
  readonly client: { readonly client_id?: string };
  readonly origin: string;
  /** Gives the data of a response. Throws its failure, with the fields that are wrong. */
  readonly data: <T>(response: Promise<Fetched<T>>) => Promise<T>;
}

/** The result of a request by openapi-fetch. */
interface Fetched<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** The media types of responses: those of the API, and the form of errors that names each field. */
const ACCEPT = 'application/problem+json, application/json;q=0.9, */*;q=0.8';
export const ACCEPT_LINK = 'application/vnd.terse.link+json, application/problem+json';

/** @param seconds how long to wait for a response */
export function connect({ url, key, client }: SignIn, seconds: number): Service {
  const api = createClient<paths>({
    baseUrl: url,
    headers: { 'X-API-Key': key, Accept: ACCEPT, 'User-Agent': `terse-cli/${VERSION}` },
    fetch: transport(seconds),
    // `tag=a&tag=b`, and nothing for what is left out.
    querySerializer: { array: { style: 'form', explode: true } },
  });
  return {
    api,
    client: client === undefined ? {} : { client_id: client },
    origin: url,
    async data(fetched) {
      const { data, error, response } = await fetched.catch((error: unknown) => {
        throw asFailure(error, { url }, seconds);
      });
      if (!response.ok) throw toFailure(response, error);
      return data!;
    },
  };
}

declare const VERSION: string;

/** The failure that a response describes. */
function toFailure(response: Response, body: unknown): Failure {
  const { code, detail, errors } = readProblem(body);
  const { status } = response;
  const message = detail ?? `The service responded with ${`${status} ${response.statusText}`.trim()}.`;
  return new Failure(message, {
    exit: exitOf(status),
    code: code ?? `status_${status}`,
    status,
    // One error of one field is the sentence itself.
    fields: errors.filter((error) => errors.length > 1 || !message.includes(error.detail)),
    remedy: remedyOf(status, code, response),
    requestId: response.headers.get('X-Request-Id'),
  });
}

/** The error of one link of a batch or one row of a file, which begins with its code. */
export function splitError(error: string): { code: string; sentence: string } {
  const [, code = 'failed', sentence = error] = /^(\w+): (.*)$/s.exec(error) ?? [];
  return { code, sentence };
}

interface Problem {
  readonly code: string | null;
  readonly detail: string | null;
  readonly errors: readonly FieldFault[];
}

// Problem details (RFC 9457), or the published form of errors.
function readProblem(body: unknown): Problem {
  if (typeof body !== 'object' || body === null) return { code: null, detail: null, errors: [] };
  const { code, detail, errors, error } = body as Record<string, unknown>;
  if (typeof error === 'string') {
    const { code: first, sentence } = splitError(error);
    return { code: first, detail: sentence, errors: [] };
  }
  return {
    code: typeof code === 'string' ? code : null,
    detail: typeof detail === 'string' ? detail : null,
    errors: Array.isArray(errors) ? errors.filter(isFault) : [],
  };
}

function isFault(value: unknown): value is FieldFault {
  const { field, detail } = (value ?? {}) as Record<string, unknown>;
  return typeof field === 'string' && typeof detail === 'string';
}

function exitOf(status: number): number {
  if (status === 401) return EXIT.notSignedIn;
  if (status === 404 || status === 410) return EXIT.notFound;
  return status === 429 || status >= 500 ? EXIT.unavailable : EXIT.failed;
}

function remedyOf(status: number, code: string | null, response: Response): string | null {
  if (status === 401) {
    const isOfEnvironment = Boolean(process.env['TERSE_API_KEY']);
    return isOfEnvironment
      ? 'Set TERSE_API_KEY to a key that is valid.'
      : 'Run "terse login" with a key that is valid.';
  }
  if (code === 'insufficient_scope') return 'Create a key with this permission on the page of keys.';
  if (code === 'wrong_client') return 'Name the client of the key with --client or TERSE_CLIENT.';
  if (status === 404 && code === null) return CHECK_URL;
  const seconds = response.headers.get('Retry-After');
  return seconds === null ? null : `Try again in ${seconds} s.`;
}

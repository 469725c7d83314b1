import * as z from 'zod';
import { STATUS_BY_CODE, type ErrorCode } from '../../src/errors.ts';
import { ALL_CODES, MEANINGS } from '../../src/reference/code-meanings.ts';
import { refsTo, type HeaderName } from './headers.ts';
import { output, refTo, type JsonSchema, type Named } from './schema.ts';

/** The body of a 401 where the published interface documents another one than `{result, error}`. */
export interface Unauthorized {
  readonly schema: Named;
  readonly example: unknown;
}

const failure = output('Failure', () =>
  z
    .strictObject({
      result: z.literal('Failed').meta({ description: 'Always `Failed`' }),
      error: z
        .string()
        .regex(errorPattern(ALL_CODES))
        .meta({ description: '`<code>: <sentence>`; the codes are listed with each status' }),
    })
    .meta({
      description: 'The body of every error, except those with a body of their own',
      example: { result: 'Failed', error: 'missing_field: url is required.' },
    }),
);

/**
 * The pattern of `error`. It allows digits once a code names a field with a digit: before that, the document stays as
 * it was released.
 */
export function errorPattern(codes: readonly string[]): RegExp {
  return codes.some((code) => /\d/.test(code)) ? /^[a-z0-9_]+: ./ : /^[a-z_]+: ./;
}

const HEADERS_OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

interface Circumstances {
  readonly headers: readonly HeaderName[];
  readonly statusOf?: Partial<Record<ErrorCode, number>>;
  readonly unauthorized?: Unauthorized;
  readonly hasPages?: true;
}

/** Failures that several operations share, by their name in the document. */
export type SharedFailures = Record<string, JsonSchema>;

/**
 * The failures with these codes, by status. `x-error-codes` lists the codes for programs.
 *
 * @param shared collects those that other operations have too, in the same words
 */
export function toFailures(
  codes: readonly ErrorCode[],
  circumstances: Circumstances,
  shared: SharedFailures,
): Readonly<Record<string, JsonSchema>> {
  const { headers, statusOf = {}, unauthorized, hasPages } = circumstances;
  const inOrder = ALL_CODES.filter((code) => code === 'internal_error' || codes.includes(code));
  const byStatus = Map.groupBy(inOrder, (code) => statusOf[code] ?? STATUS_BY_CODE[code]);
  const isUsual = headers.join() === 'X-Request-Id' && !hasPages;
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      if (status === 401 && unauthorized) return [status, toFailure(status, codes, circumstances, unauthorized)];
      const failure = toFailure(status, codes, circumstances);
      const name = isUsual && status === STATUS_BY_CODE[codes[0]!] ? nameOf(codes) : null;
      if (name === null) return [status, failure];
      shared[name] = failure;
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** The errors of requests that do not reach the API, by status: as JSON, and for browsers as pages. */
export function toEarlyFailures(codes: readonly ErrorCode[]): Readonly<Record<string, JsonSchema>> {
  const byStatus = Map.groupBy(codes, (code) => STATUS_BY_CODE[code]);
  const circumstances: Circumstances = { headers: ['Cache-Control', 'X-Robots-Tag'], hasPages: true };
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, toFailure(status, codes, circumstances)]));
}

/** The options of the response with any other status. */
interface Fallback {
  readonly others?: string;
  readonly hasPages?: true;
}

/** The answer with any other status. */
export function toFallback({ others = 'Any other error', hasPages }: Fallback): JsonSchema {
  const page = hasPages && { 'text/html': { schema: { type: 'string' } } };
  return { description: others, content: { 'application/json': { schema: refTo(failure) }, ...page } };
}

function toFailure(
  status: number,
  codes: readonly ErrorCode[],
  { headers, hasPages }: Circumstances,
  own?: Unauthorized,
): JsonSchema {
  const page = hasPages && { 'text/html': { schema: { type: 'string' } } };
  const json = own ? { schema: refTo(own.schema), example: own.example } : { schema: refTo(failure) };
  const list = codes.map((code) => `\`${code}\``).join(', ');
  return {
    description: `${MEANINGS[status]}. ${own ? 'Its body has no code.' : `Codes: ${list}.`}`,
    headers: refsTo([...headers, ...(HEADERS_OF_STATUS[status] ?? []), ...(hasPages ? (['Vary'] as const) : [])]),
    content: { 'application/json': json, ...page },
    ...(!own && { 'x-error-codes': codes }),
  };
}

// A failure with one code is named after it.
function nameOf([code, ...more]: readonly ErrorCode[]): string | null {
  if (code === 'missing_credential' && more.length === 1) return 'Unauthorized';
  if (code === undefined || more.length > 0) return null;
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

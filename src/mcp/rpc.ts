import { parseJson } from '../text/json.ts';
import { isJson } from '../http/json.ts';
import { readBytes, refuseContentCoding } from '../http/body.ts';
import { type Fields } from '../input/validation.ts';
import { quote } from '../text/quote.ts';

/** JSON-RPC 2.0, as far as MCP uses it: https://modelcontextprotocol.io/specification/2026-07-28/basic#messages */

export type RequestId = string | number;

/** A request, or a notification, whose id is null. */
export interface Message {
  readonly id: RequestId | null;
  readonly method: string;
  readonly params: Fields;
}

/** The codes of JSON-RPC, and of MCP from -32020 on. Other failures have their HTTP status as code. */
export const RPC_CODES = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  header_mismatch: -32020,
  unsupported_version: -32022,
} as const;

interface RpcErrorOptions {
  /** 400 if it is left out. */
  readonly status?: 200 | 400 | 404 | 406 | 415;
  readonly data?: object;
  /** The id of the request, if it could be read. */
  readonly id?: RequestId | null;
}

/** An error of the protocol, which the caller gets as a JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly status: NonNullable<RpcErrorOptions['status']>;
  readonly data: object | undefined;
  readonly id: RequestId | null;

  constructor(code: number, sentence: string, { status = 400, data, id = null }: RpcErrorOptions = {}) {
    super(sentence);
    this.code = code;
    this.status = status;
    this.data = data;
    this.id = id;
  }
}

const JSON_ONLY = 415;
/** The largest body, in bytes. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** Reads a body: a value for `toMessage`, or a list of them. Throws `RpcError`, and `body_too_large`. */
export async function readBody(request: Request): Promise<unknown> {
  if (!isJson(request)) throw new RpcError(JSON_ONLY, 'Send the message as application/json.', { status: JSON_ONLY });
  refuseContentCoding(request);
  return parse(await readBytes(request, { maxBytes: MAX_MESSAGE_BYTES }));
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new RpcError(RPC_CODES.parse_error, 'The body is not valid JSON in UTF-8.');
  }
}

/** A parsed value as a message. Throws `RpcError`. */
export function toMessage(value: unknown): Message {
  if (!isObject(value)) throw invalid('The message must be a JSON object.', null);
  const id = Object.hasOwn(value, 'id') ? value['id'] : null;
  const readable = typeof id === 'string' || Number.isInteger(id) ? (id as RequestId) : null;
  if (value['jsonrpc'] !== '2.0') throw invalid('jsonrpc must be "2.0".', readable);
  const { method } = value;
  // Some clients write null for what they leave out.
  const params = value['params'] ?? {};
  if (method === undefined && ('result' in value || 'error' in value))
    throw invalid('This server sends no requests, so it takes no responses.', null);
  if (typeof method !== 'string') throw invalid('method must be a string.', readable);
  if (Object.hasOwn(value, 'id') && readable === null) throw invalid('id must be a string or an integer.', null);
  if (!isObject(params)) throw invalid('params must be an object.', readable);
  if (readable === null && !method.startsWith('notifications/'))
    throw invalid(`${quote(method)} is a request, which needs an id.`, null);
  return { id: readable, method, params };
}

/** The error of what is no message. */
export function invalid(sentence: string, id: RequestId | null = null): RpcError {
  return new RpcError(RPC_CODES.invalid_request, sentence, { id });
}

/** True if a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

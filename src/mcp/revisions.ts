import { quote } from '../text/quote.ts';
import { isObject, RPC_CODES, RpcError, type Message } from './rpc.ts';

/**
 * The revisions of MCP, and which one a request is of: since 2026-07-28 each request says so in `_meta` and in its headers;
 * before, a client agreed on one with `initialize`, and each later request names it in a header, which 2025-03-26 did not
 * have yet.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#protocol-version-header
 */

const CURRENT = '2026-07-28';
const LATEST_WITH_INITIALIZE = '2025-11-25';
const WITHOUT_HEADER = '2025-03-26';
const WITH_INITIALIZE: readonly string[] = [LATEST_WITH_INITIALIZE, '2025-06-18', WITHOUT_HEADER];
export const REVISIONS: readonly string[] = [CURRENT, ...WITH_INITIALIZE];

/** `stateless` since 2026-07-28, `initialized` before. */
export type Era = 'stateless' | 'initialized';

const PREFIX = 'io.modelcontextprotocol/';
export const SERVER_INFO = `${PREFIX}serverInfo`;
const [VERSION, CLIENT_INFO, CAPABILITIES] = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map(
  (name) => PREFIX + name,
) as [string, string, string];

/**
 * Which era a message is of. Throws `RpcError` if its revision is unknown, or its `_meta` or its headers are not those
 * of the revision.
 */
export function eraOf(message: Message, headers: Headers): Era {
  const { params, id, method } = message;
  const named = namedIn(headers);
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const claimed = meta[VERSION];
  if (claimed !== undefined) {
    if (typeof claimed !== 'string') throw badMeta(`${VERSION} must be a string`);
    if (named !== null && named !== claimed) throw mismatch('MCP-Protocol-Version', named, claimed);
    if (WITH_INITIALIZE.includes(claimed)) throw badMeta(`of revision ${claimed} does not have ${VERSION}`);
    if (claimed !== CURRENT) throw unsupported(claimed);
    if (id !== null) checkStateless(message, meta, headers);
    return 'stateless';
  }
  // The body requests a revision, and the response agrees on one: nothing depends on the header yet.
  if (method === 'initialize') return 'initialized';
  if (named !== null && !REVISIONS.includes(named)) throw unsupported(named);
  if (named !== CURRENT) return 'initialized';
  // The revision defines neither notifications of clients nor their headers.
  if (id === null) return 'stateless';
  throw badMeta(`must have ${VERSION} and ${CAPABILITIES}`);
}

/** True if several messages may be sent in a list: only in 2025-03-26, the revision of a request without the header. */
export function hasBatches(headers: Headers): boolean {
  return (namedIn(headers) ?? WITHOUT_HEADER) === WITHOUT_HEADER;
}

// An empty header is no header.
const namedIn = (headers: Headers): string | null => headers.get('MCP-Protocol-Version')?.trim() || null;

/** The revision to answer `initialize` with: that of the client, or the latest one that begins like this. */
export function agreedRevision(requested: string): string {
  return WITH_INITIALIZE.includes(requested) ? requested : LATEST_WITH_INITIALIZE;
}

/** True if a value describes a client or a server: `{name, version}`. */
export function isImplementation(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

function checkStateless({ method, params }: Message, meta: Readonly<Record<string, unknown>>, headers: Headers): void {
  if (!isObject(meta[CAPABILITIES])) throw badMeta(`must have ${CAPABILITIES}, an object`);
  if (meta[CLIENT_INFO] !== undefined && !isImplementation(meta[CLIENT_INFO]))
    throw badMeta(`${CLIENT_INFO} must have a name and a version`);
  expectHeader(headers, 'MCP-Protocol-Version', CURRENT);
  expectHeader(headers, 'Mcp-Method', method);
  if (method === 'tools/call' && typeof params['name'] === 'string')
    expectHeader(headers, 'Mcp-Name', params['name'], decoded);
}

function expectHeader(
  headers: Headers,
  name: string,
  value: string,
  read: (text: string) => string | null = (text) => text,
): void {
  const given = headers.get(name)?.trim() ?? null;
  if (given === null)
    throw new RpcError(RPC_CODES.header_mismatch, `The header ${name} is missing. Send it as in the body.`);
  if (read(given) !== value) throw mismatch(name, given, value);
}

const [SENTINEL, END] = ['=?base64?', '?='];

/** A header with a value that plain ASCII cannot have is `=?base64?…?=`; null if that is not Base64 of UTF-8. */
function decoded(text: string): string | null {
  if (!text.startsWith(SENTINEL) || !text.endsWith(END)) return text;
  try {
    const bytes = Uint8Array.from(atob(text.slice(SENTINEL.length, -END.length)), (character) =>
      character.charCodeAt(0),
    );
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function mismatch(name: string, inHeader: string, inBody: string): RpcError {
  const sentence = `Header mismatch: ${name} is ${quote(inHeader)}, but the body has ${quote(inBody)}.`;
  return new RpcError(RPC_CODES.header_mismatch, sentence);
}

function badMeta(complaint: string): RpcError {
  return new RpcError(RPC_CODES.invalid_params, `The _meta of the request is not valid: _meta ${complaint}.`);
}

const MAX_ECHOED = 64;

function unsupported(requested: string): RpcError {
  return new RpcError(RPC_CODES.unsupported_version, 'Unsupported protocol version', {
    data: { supported: REVISIONS, requested: requested.slice(0, MAX_ECHOED) },
  });
}

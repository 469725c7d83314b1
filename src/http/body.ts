import { AppError } from '../errors.ts';

/** A body up to this length, in bytes, is parsed before its credential is checked. */
const MAX_BYTES_BEFORE_CHECK = 64 * 1024;
// The platform returns each write of the sender in a buffer of some KiB, so that reading a body sent byte by byte would
// take thousands of times its size.
const PIECE_BYTES = 16 * 1024;

/** The limit and the conditions under which a body is read. */
export interface BodyRules {
  readonly maxBytes: number;
  /** Called before more than `MAX_BYTES_BEFORE_CHECK` are read; throws to refuse the body. */
  readonly admit?: () => Promise<void>;
  /** Called with each chunk of a body as it arrives; throws to stop reading. */
  readonly inspect?: (piece: Uint8Array) => void;
}

/**
 * Reads a body up to a bound. The bound counts the bytes that arrive, since the sender may state any length. Yields
 * nothing before the body has ended or was admitted, and reads nothing after a failure. Throws `body_too_large`,
 * `malformed_body`, and what `admit` throws.
 */
export async function* readChunks(
  request: Request,
  { maxBytes, admit }: BodyRules,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (Number(request.headers.get('Content-Length')) > maxBytes) throw tooLarge(maxBytes);
  const reader = request.body?.getReader({ mode: 'byob' });
  if (!reader) return;
  let held: Uint8Array<ArrayBuffer>[] | null = [];
  let size = 0;
  try {
    for (let isOver = false; !isOver;) {
      const { done, value } = await readPiece(reader).catch(throwBroken);
      if (value === undefined || value.byteLength === 0) break;
      // The last piece may arrive together with the end.
      isOver = done;
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (held && size > MAX_BYTES_BEFORE_CHECK) {
        await admit?.();
        yield* held;
        held = null;
      }
      if (held) held.push(value);
      else yield value;
    }
    if (held) yield* held;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

// `readAtLeast` exists only in workerd. The operator's tools run this on Node, where they are the only sender.
async function readPiece(reader: Pick<ReadableStreamBYOBReader, 'read'> & Partial<ReadableStreamBYOBReader>) {
  const piece = new Uint8Array(PIECE_BYTES);
  return reader.readAtLeast ? reader.readAtLeast(PIECE_BYTES, piece) : reader.read(piece);
}

/** Like `readChunks`, but returns one array. */
export async function readBytes(request: Request, rules: BodyRules): Promise<Uint8Array<ArrayBuffer>> {
  const statedBytes = Number(request.headers.get('Content-Length') ?? Number.NaN);
  // Memory for a longer body is allocated as it arrives, since its sender may state a length and send nothing.
  if (request.body && statedBytes <= Math.min(rules.maxBytes, PIECE_BYTES)) {
    const bytes = await readStated(request.body, statedBytes);
    rules.inspect?.(bytes);
    return bytes;
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of readChunks(request, rules)) {
    rules.inspect?.(chunk);
    chunks.push(chunk);
  }
  return join(chunks);
}

// One read costs half as much as two, and most bodies are short and state their length. It asks for one byte more, so
// that it resolves at the end of the body.
async function readStated(body: ReadableStream, statedBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader({ mode: 'byob' });
  const { value } = await reader.readAtLeast(statedBytes + 1, new Uint8Array(statedBytes + 1)).catch(throwBroken);
  if (value === undefined || value.byteLength === statedBytes) return value ?? new Uint8Array();
  await reader.cancel().catch(() => undefined);
  throw new AppError(
    'malformed_body',
    'The body is shorter or longer than its Content-Length. Send all of it, with its right length.',
  );
}

function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}

function throwBroken(cause: unknown): never {
  throw new AppError('malformed_body', 'The body is incomplete. Send all of it.', { cause });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('body_too_large', `The body may be at most ${maxBytes} bytes long.`);
}

/** A form without files. */
export const URLENCODED = 'application/x-www-form-urlencoded';

/** The media type of a body, in lower case and without parameters; '' if there is none. */
export function mediaTypeOf(request: Request): string {
  return request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Refuses a body in a content coding (RFC 9110, section 8.4), such as gzip. Throws `unsupported_media_type`. */
export function refuseContentCoding(request: Request): void {
  const coding = request.headers.get('Content-Encoding') ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  throw new AppError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding such as gzip.');
}

import { AppError } from '../errors.ts';

/** Reads a body up to a bound. Throws `body_too_large`, `malformed_body`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const statedBytes = Number(request.headers.get('Content-Length') ?? Number.NaN);
  if (statedBytes > maxBytes) throw tooLarge(maxBytes);
  try {
    // HTTP lets no body be longer than what is stated, and to read it at once costs a third.
    if (statedBytes >= 0) return new Uint8Array(await request.arrayBuffer());
    return await readChunks(request.body, maxBytes);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('malformed_body', 'The body ended before its end. Send it whole.', { cause });
  }
}

async function readChunks(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('body_too_large', `The body may be at most ${maxBytes} bytes long.`);
}

/** The media type of a body, in lower case and without parameters; '' where none is named. */
export function mediaTypeOf(request: Request): string {
  return request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

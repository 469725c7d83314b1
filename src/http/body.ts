import { AppError } from '../errors.ts';

/** Reads a body up to a bound. Throws `body_too_large`, `malformed_body`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new AppError('body_too_large', `The body may be at most ${maxBytes} bytes long.`);
  if (Number(request.headers.get('Content-Length')) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('malformed_body', 'The body ended before its end. Send it whole.', { cause });
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

/** The media type of a body, in lower case and without parameters; '' where none is named. */
export function mediaTypeOf(request: Request): string {
  return request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

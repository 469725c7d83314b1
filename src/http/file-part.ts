import { AppError } from '../errors.ts';
import { fieldError } from '../input/validation.ts';
import { quote } from '../text/quote.ts';
import { boundaryOf, MAX_HEAD_BYTES, readHead, type PartHead } from './part-heads.ts';

/** A file in a form, read as a stream. */
interface FilePart {
  readonly name: string;
  /** '' if the part names none. */
  readonly mediaType: string;
  /** '' if the part names none. */
  readonly contentType: string;
  /** Its bytes. Throws `malformed_body`, `unknown_field`, `repeated_field`, and what the body's chunks throw. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The name of the field; a field with this name needs no file name. */
export const FILE_FIELD = 'file';

/**
 * Finds the only field of a multipart form (RFC 7578), a file under any name or the text `file`, and streams it. The
 * rest of the form is read after its bytes. Throws `malformed_body`, `unknown_field`, `missing_field`, and what
 * `chunks` throws.
 */
export async function readFilePart(chunks: AsyncIterable<Uint8Array>, contentType: string): Promise<FilePart> {
  const boundary = boundaryOf(contentType);
  if (boundary === null) throw malformed();
  const form = new PartReader(chunks, boundary);
  try {
    // The preamble before the first part is ignored.
    for await (const _ of form.content());
    const head = await form.nextHead();
    if (head === null) throw new AppError('missing_field', `${FILE_FIELD} is required: the form has no such field.`);
    refuseText(head);
    const contentType = head.contentType ?? '';
    const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
    return { name: head.filename ?? '', mediaType, contentType, chunks: contentOf(form) };
  } catch (error) {
    await form.stop();
    throw error;
  }
}

async function* contentOf(form: PartReader): AsyncGenerator<Uint8Array, void> {
  try {
    yield* form.content();
    const head = await form.nextHead();
    if (head === null) return;
    refuseText(head);
    throw new AppError('repeated_field', 'The form has more than one file. Send them one by one.');
  } finally {
    await form.stop();
  }
}

function refuseText({ name, filename }: PartHead): void {
  if (name === FILE_FIELD || filename !== null) return;
  const field = Buffer.from(name, 'latin1').toString();
  const sentence = `There is no field ${quote(field)} here. Send one field only, the file, as ${quote(FILE_FIELD)}.`;
  throw fieldError('unknown_field', field, sentence);
}

class PartReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  // A delimiter begins with a line end, except the first one, which may begin the form.
  #rest: Buffer = Buffer.from('\r\n');

  constructor(chunks: AsyncIterable<Uint8Array>, boundary: string) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** The head of the part that follows a delimiter; null after the last one. */
  async nextHead() {
    while (this.#rest.length < 2) await this.#more();
    if (this.#rest.toString('latin1', 0, 2) === '--') return null;
    for (;;) {
      const lineEnd = this.#rest.indexOf('\n');
      const head = lineEnd === -1 ? null : readHead(this.#rest.subarray(lineEnd + 1));
      if (head) {
        this.#rest = this.#rest.subarray(lineEnd + 1 + head.length);
        return head;
      }
      if (this.#rest.length > MAX_HEAD_BYTES) throw malformed();
      await this.#more();
    }
  }

  /** The bytes up to the next delimiter, which is skipped. */
  async *content(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const at = this.#rest.indexOf(this.#delimiter);
      // The last bytes are held back, since a delimiter may begin in them.
      const end = at === -1 ? this.#rest.length - this.#delimiter.length + 1 : at;
      if (end > 0) yield this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(at === -1 ? Math.max(0, end) : at + this.#delimiter.length);
      if (at !== -1) return;
      await this.#more();
    }
  }

  /** Stops reading the body. */
  async stop(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done) throw malformed();
    this.#rest = Buffer.concat([this.#rest, value]);
  }
}

function malformed(): AppError {
  return new AppError(
    'malformed_body',
    'The body is not a complete form with one file. Check the boundary, and that the body is sent to its end.',
  );
}

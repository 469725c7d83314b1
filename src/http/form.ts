import { AppError } from '../errors.ts';
import { joinErrors } from '../input/field-errors.ts';
import { fieldError, MAX_FAULTS } from '../input/validation.ts';
import { quote } from '../text/quote.ts';
import { readBytes, type BodyRules, refuseContentCoding, mediaTypeOf, URLENCODED } from './body.ts';
import { rewriteHeads } from './part-heads.ts';

/** The largest body of a form, in bytes. */
export const MAX_FORM_BYTES = 64 * 1024;

export const MULTIPART = 'multipart/form-data';

/** The rules by which a form is read. */
interface FormRules extends BodyRules {
  readonly accepted: readonly string[];
  /** The media types that the endpoint takes besides forms, for the error sentence. */
  readonly orElse?: readonly string[];
}

/**
 * Reads a form into one text per field. Throws `unsupported_media_type`, `body_too_large`, `malformed_body`,
 * `file_field`, `repeated_field`.
 *
 * @param orElse the media types that the endpoint takes besides forms, for the error sentence
 */
export async function readForm(
  request: Request,
  { orElse = [] }: { readonly orElse?: readonly string[] } = {},
): Promise<Record<string, string>> {
  return readFormAs(request, { accepted: [MULTIPART, URLENCODED], orElse, maxBytes: MAX_FORM_BYTES }, singleTexts);
}

/**
 * Reads a form that is not one text per field. Throws `unsupported_media_type`, `body_too_large`, `malformed_body`, and
 * what `read` and the rules' `admit` throw.
 */
export async function readFormAs<T>(
  request: Request,
  { accepted, orElse = [], ...rules }: FormRules,
  read: (form: FormData) => T,
): Promise<T> {
  if (!accepted.includes(mediaTypeOf(request))) {
    throw new AppError('unsupported_media_type', `Send the fields as ${[...accepted, ...orElse].join(' or ')}.`);
  }
  refuseContentCoding(request);
  const contentType = request.headers.get('Content-Type') ?? '';
  const body = await readBytes(request, rules);
  const outcome = read(await parseForm(body, contentType));
  await refuseBadUtf8(body, contentType);
  return outcome;
}

// The platform throws a bare TypeError for any form that it cannot parse. Such a form is parsed a second time, with the
// heads of its parts rewritten in the way that the platform accepts.
async function parseForm(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  if (isUrlencoded(contentType)) return parseUrlencoded(body);
  const parse = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
  try {
    return await parse(body).catch(async () => parse(rewriteHeads(body, contentType)));
  } catch (cause) {
    throw new AppError(
      'malformed_body',
      'The body is not a complete form. Check the boundary, that every field has a name, and that the body is sent to its end.',
      { cause },
    );
  }
}

// The platform's own parser drops a % that begins no escape, and throws at a charset other than UTF-8; the URL standard
// ignores both.
function parseUrlencoded(body: Uint8Array): FormData {
  const form = new FormData();
  const text = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(body);
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value);
  return form;
}

const isUrlencoded = (contentType: string) => contentType.toLowerCase().startsWith(URLENCODED);

// Both parsers replace bad UTF-8 silently, so the bytes are checked separately. To name the field, the form is parsed
// once more with each byte as one character, which keeps the bytes of the values apart.
async function refuseBadUtf8(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<void> {
  const isEscaped = isUrlencoded(contentType);
  if (isUtf8(isEscaped ? Buffer.from(replaceEscapes(body, byteOf), 'latin1') : body)) return;
  const bytewise = isEscaped
    ? replaceEscapes(body, (escape) => encodeURIComponent(byteOf(escape)))
    : Buffer.from(body).toString('latin1');
  const form = await parseForm(new Uint8Array(Buffer.from(bytewise)), contentType);
  const damaged = [...form].find(([, value]) => typeof value === 'string' && !isUtf8(Buffer.from(value, 'latin1')));
  // The content of a file is checked by its own reader.
  if (!damaged && [...form.values()].some((value) => typeof value !== 'string')) return;
  const what = damaged ? `The field ${quote(Buffer.from(damaged[0], 'latin1').toString())}` : 'The body';
  throw new AppError('malformed_body', `${what} is not valid UTF-8. Encode texts as UTF-8.`);
}

// In Latin-1 each byte is one character. Escapes of ASCII characters are always valid UTF-8, and stay unchanged.
function replaceEscapes(body: Uint8Array, replace: (escape: string) => string): string {
  return Buffer.from(body)
    .toString('latin1')
    .replaceAll(/%[89a-f][0-9a-f]/gi, replace);
}

function byteOf(escape: string): string {
  return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** One text per field. Throws `file_field` or `repeated_field`, with all such fields. */
export function singleTexts(form: FormData): Record<string, string> {
  const fields = new Map<string, string>();
  const faults: AppError[] = [];
  for (const [name, value] of form) {
    if (typeof value !== 'string') {
      faults.push(fieldError('file_field', name, `The field ${quote(name)} is a file. Send it as a plain text field.`));
    } else if (fields.has(name)) {
      faults.push(fieldError('repeated_field', name, `The field ${quote(name)} is given more than once.`));
    } else {
      fields.set(name, value);
    }
    if (faults.length === MAX_FAULTS) break;
  }
  const refusal = faults.length > 0 ? joinErrors(faults) : null;
  if (refusal) throw refusal;
  return Object.fromEntries(fields);
}

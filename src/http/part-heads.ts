/** The head of a part of a form, in Latin-1: one character for each byte. */
export interface PartHead {
  /** The text between the quotes, with its escapes. */
  readonly name: string;
  readonly filename: string | null;
  readonly contentType: string | null;
  /** The number of bytes before the content. */
  readonly length: number;
}

export const MAX_HEAD_BYTES = 8 * 1024;

// RFC 2046, section 5.1.1, and further characters that clients send without quotes.
const BOUNDARY = /;[ \t]*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?!#$%&*^`|~-]{1,70}))/i;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const PARAMETER = /[ \t]*;[ \t]*(?:([\w!#$%&'+.^`|~-]+)(\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\0- ;"\\]+))[ \t]*)?/y;

/** The boundary of a multipart form; null if its type has none. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/**
 * Rewrites the heads of a multipart form's parts for the platform's parser. That parser refuses `name=url`,
 * `Form-Data`, `NAME=`, folded lines and white space after a boundary, all of which are legal (RFC 2046, RFC 2183, RFC
 * 5322). Contents are copied byte for byte. A malformed head is copied too, for the parser to refuse.
 */
export function rewriteHeads(body: Uint8Array, contentType: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`\n--${boundaryOf(contentType) ?? ''}`, 'latin1');
  const pieces: Uint8Array[] = [];
  let copied = 0;
  // The first delimiter may begin the body; the others follow a line end.
  for (let at = bytes.indexOf(delimiter.subarray(1)) + delimiter.length - 1; ;) {
    const padded = afterBlanks(bytes, at);
    const lineEnd = bytes[padded] === CR ? padded + 1 : padded;
    const end = bytes[lineEnd] === LF ? bytes.indexOf(delimiter, lineEnd + 1) : -1;
    // Two dashes follow the last delimiter; the rest of the body is ignored.
    if (end === -1) break;
    pieces.push(bytes.subarray(copied, at), bytes.subarray(padded, lineEnd + 1));
    copied = lineEnd + 1;
    const head = readHead(bytes.subarray(copied, Math.min(end, copied + MAX_HEAD_BYTES)));
    if (head) {
      pieces.push(writeHead(head));
      copied += head.length;
    }
    at = end + delimiter.length;
  }
  pieces.push(bytes.subarray(copied));
  return new Uint8Array(Buffer.concat(pieces));
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  return at;
}

/** Reads the head of a part from its bytes; null if it is malformed or incomplete. */
export function readHead(part: Buffer): PartHead | null {
  const lines: string[] = [];
  for (let at = 0; ;) {
    const end = part.indexOf(LF, at);
    if (end === -1) return null;
    const line = part.toString('latin1', at, part[end - 1] === CR ? end - 1 : end);
    at = end + 1;
    if (line === '') return toHead(lines, at);
    // A line that begins with white space continues the one before (RFC 5322, section 2.2.3).
    lines.push(/^[ \t]/.test(line) ? `${lines.pop() ?? ''}${line}` : line);
  }
}

function toHead(lines: readonly string[], length: number): PartHead | null {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon === -1 || !TOKEN.test(name) || headers.has(name)) return null;
    headers.set(name, line.slice(colon + 1).replace(/^[ \t]+/, ''));
  }
  const parameters = readDisposition(headers.get('content-disposition') ?? '');
  const name = parameters?.get('name');
  if (name === undefined) return null;
  const filename = parameters?.get('filename') ?? null;
  return { name, filename, contentType: headers.get('content-type') ?? null, length };
}

/**
 * The parameters of `form-data`, by their names in lower case; null for another disposition, or if a parameter is
 * repeated.
 */
function readDisposition(value: string): ReadonlyMap<string, string> | null {
  const [type = ''] = /^[\w-]*/.exec(value) ?? [];
  if (type.toLowerCase() !== 'form-data') return null;
  const parameters = new Map<string, string>();
  for (let at = type.length; at < value.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(value);
    if (!found) return null;
    const [, name, isExtended, quoted, plain = ''] = found;
    // RFC 7578 has no extended parameters, such as `filename*`. A client that sends one also sends the plain one.
    if (name === undefined || isExtended) continue;
    if (parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), quoted ?? plain);
  }
  return parameters;
}

function writeHead({ name, filename, contentType }: PartHead): Buffer {
  const file = filename === null ? '' : `; filename="${filename}"`;
  const type = contentType === null ? '' : `Content-Type: ${contentType}\r\n`;
  return Buffer.from(`Content-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`, 'latin1');
}

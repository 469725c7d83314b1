/**
 * Decodes a page while it comes, by what it says of its character set: a byte order mark, the header `Content-Type`, or
 * a `meta` element near its start (https://html.spec.whatwg.org/#determining-the-character-encoding). One that says
 * nothing is UTF-8, and windows-1252 from the first bytes on that cannot be.
 */
export class PageDecoder {
  readonly #ofHeader: TextDecoder | null;
  #decoder: TextDecoder | null = null;
  /** The bytes before the character set is known. */
  #start = Buffer.alloc(0);

  constructor(contentType: string) {
    this.#ofHeader = decoderOf(/;\s*charset\s*=\s*["']?([^\s"';]{1,40})/i.exec(contentType)?.[1]);
  }

  /** The text of the next bytes; empty while the character set is not known. */
  decode(bytes: Uint8Array): string {
    if (this.#decoder !== null) return this.#decodeBy(this.#decoder, bytes);
    this.#start = Buffer.concat([this.#start, bytes]);
    this.#decoder = this.#find();
    return this.#decoder === null ? '' : this.#decodeBy(this.#decoder, this.#start);
  }

  /** The text of what was left over, once there are no more bytes. */
  end(): string {
    return this.#decoder === null ? this.#decodeBy(this.#ofHeader ?? undeclared(), this.#start) : '';
  }

  #find(): TextDecoder | null {
    const start = this.#start;
    if (start.length < LONGEST_MARK) return null;
    const marked = MARKS.find(([mark]) => start.indexOf(mark, 0, 'latin1') === 0);
    if (marked) return new TextDecoder(marked[1]);
    if (this.#ofHeader !== null) return this.#ofHeader;
    const text = start.subarray(0, PRESCANNED).toString('latin1');
    return declaredIn(text) ?? (start.length >= PRESCANNED || END_OF_HEAD.test(text) ? undeclared() : null);
  }

  #decodeBy(decoder: TextDecoder, bytes: Uint8Array): string {
    try {
      return decoder.decode(bytes, { stream: true });
    } catch {
      this.#decoder = new TextDecoder('windows-1252');
      return this.#decoder.decode(bytes, { stream: true });
    }
  }
}

const MARKS = [
  ['\u{ef}\u{bb}\u{bf}', 'utf-8'],
  ['\u{fe}\u{ff}', 'utf-16be'],
  ['\u{ff}\u{fe}', 'utf-16le'],
] as const;
const LONGEST_MARK = 3;

/** The number of bytes in which a page must say its character set, by the HTML standard. */
const PRESCANNED = 1024;
const END_OF_HEAD = /<\/head|<body/i;

const DECLARED =
  /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]{1,40})|^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]{1,40})/i;

function declaredIn(start: string): TextDecoder | null {
  const found = DECLARED.exec(start.replaceAll(/<!--.*?-->/gs, ''));
  const label = found?.[1] ?? found?.[2];
  // A page in UTF-16 could not have been read up to here.
  return decoderOf(label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label);
}

function decoderOf(label: string | undefined): TextDecoder | null {
  try {
    return label === undefined ? null : new TextDecoder(label);
  } catch {
    return null;
  }
}

const undeclared = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

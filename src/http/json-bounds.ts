import { AppError } from '../errors.ts';

/** The bounds of a JSON body, which are checked while it is read, before it is parsed. */
export interface JsonRules {
  /** The most items in a list in a field of the body. */
  readonly mostItems: number;
  /** Throws the error for a longer list, given the name of its field. */
  readonly refuseList: (field: string) => never;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

// Deeper than any field needs, including metadata in a list of links.
const MAX_DEPTH = 128;
const MAX_NAME_BYTES = 64;

/**
 * Checks the bytes of a JSON object as they arrive: how deep it is nested, and how long the lists in its fields are.
 * The parser checks later whether it is valid JSON.
 */
export class JsonBounds {
  readonly #rules: JsonRules;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isObject = false;
  /** The current field holds a list; the number of its items that have ended. */
  #isInList = false;
  #ended = 0;
  /** The last string at the top level of the object: the name of the field, if a list follows. */
  #name: number[] = [];

  constructor(rules: JsonRules) {
    this.#rules = rules;
  }

  /** Throws `malformed_body`, and what `refuseList` throws. */
  read(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#isInText) this.#readText(byte);
      else if (byte === QUOTE) this.#beginText();
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#open(byte);
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
      else if (byte === COMMA && this.#isInList && this.#depth === 2) this.#endItem();
    }
  }

  #beginText(): void {
    this.#isInText = true;
    if (this.#depth === 1) this.#name = [];
  }

  #readText(byte: number): void {
    if (!this.#isEscaped && byte === QUOTE) {
      this.#isInText = false;
      return;
    }
    this.#isEscaped = !this.#isEscaped && byte === BACKSLASH;
    if (this.#depth === 1 && this.#name.length < MAX_NAME_BYTES) this.#name.push(byte);
  }

  #open(byte: number): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw new AppError(
        'malformed_body',
        `The body is nested more than ${MAX_DEPTH} levels deep. Send it with fewer levels.`,
      );
    }
    if (this.#depth === 1) this.#isObject = byte === OPEN_OBJECT;
    if (this.#depth !== 2) return;
    this.#isInList = this.#isObject && byte === OPEN_LIST;
    this.#ended = 0;
  }

  #endItem(): void {
    this.#ended += 1;
    if (this.#ended >= this.#rules.mostItems) this.#rules.refuseList(this.#fieldName());
  }

  #fieldName(): string {
    const text = Buffer.from(this.#name).toString();
    try {
      return String(JSON.parse(`"${text}"`));
    } catch {
      return text;
    }
  }
}

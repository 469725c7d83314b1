/**
 * A fact is a number of clicks that have the same properties. The words of its properties are stored once, and named by a
 * number in each dimension.
 */

/** The kinds of visitors, in the order of their numbers in a fact. */
export const KINDS = ['human', 'bot', 'preview'] as const;
export type Kind = (typeof KINDS)[number];

/** The properties of a click that are words, and that rows of version 1.3.0 have too. */
export const FORMER_DIMENSIONS = [
  'country',
  'referrer',
  'browser',
  'os',
  'device',
  'language',
  'destination',
  'campaign',
] as const;

/** The properties that say what brought the visitor. */
export const SOURCE_DIMENSIONS = ['via', 'utm_medium', 'utm_campaign'] as const;

/** The properties of a click that are words, in the order of a fact. */
export const DIMENSIONS = [...FORMER_DIMENSIONS, ...SOURCE_DIMENSIONS] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The number of a property that is not known. */
export const UNKNOWN = 0;
/** The number of all words for which there was no place, and the word `other` itself. */
export const OTHER = 1;
export const OTHER_WORD = 'other';

/** The words of `via` that are the service's own: a visit that names no source, and one by a QR code. */
export const VIA_WORDS = ['link', 'qr'] as const;
/** Their numbers, the same in every object. */
export const LINK = OTHER + 1;
export const QR = OTHER + 2;

// The places in a fact.
export const HOUR = 0;
export const KIND = 1;
export const FIRST_WORD = 2;
export const CLICKS = FIRST_WORD + DIMENSIONS.length;

/** `[hour of the UTC day, kind, a number for each dimension, clicks]` */
export type Fact = number[];

/** The place of a dimension in a fact. */
export const placeOf = (dimension: Dimension): number => FIRST_WORD + DIMENSIONS.indexOf(dimension);

/** Facts in which no two have the same properties. */
export class Facts {
  readonly #byKey = new Map<string, Fact>();

  constructor(facts: Iterable<Fact> = []) {
    for (const fact of facts) this.add(fact);
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Counts a fact. The facts that were given stay unchanged. */
  add(fact: Fact): void {
    const key = keyOf(fact);
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [...fact]);
    else known[CLICKS]! += fact[CLICKS]!;
  }

  list(): Fact[] {
    return [...this.#byKey.values()];
  }
}

// Each number as a character or two, which is shorter and faster than digits.
function keyOf(fact: Fact): string {
  let key = '';
  for (let place = 0; place < CLICKS; place++) {
    const number = fact[place]!;
    key +=
      number < 0x8000 ? String.fromCharCode(number) : String.fromCharCode(0x8000 | (number >>> 15), number & 0x7fff);
  }
  return key;
}

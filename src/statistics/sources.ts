import type { ByteReader, ByteWriter } from './bytes.ts';
import { CLICKS, LINK, placeOf, SOURCE_DIMENSIONS, UNKNOWN, type Fact } from './facts.ts';

/**
 * The sources of facts, in bytes beside them: version 1.3.0 reads and writes facts without it. Most
 * visits name no source, and take no byte; a QR code takes two, and a source with a medium and a campaign takes four. It
 * is a format, and then for each fact that has something to say: how many facts there are before it since the last one
 * (doubled, and one more with a medium or a campaign), and the numbers of its words.
 */
export const SOURCES_FORMAT = 1;

/** The numbers of the words of `SOURCE_DIMENSIONS`. */
export type SourceNumbers = readonly [via: number, medium: number, campaign: number];

export const PLAIN_SOURCE: SourceNumbers = [LINK, UNKNOWN, UNKNOWN];
export const UNKNOWN_SOURCE: SourceNumbers = [UNKNOWN, UNKNOWN, UNKNOWN];

/** The place of the first of them in a fact; they are the last ones before its clicks. */
export const FIRST_OF_SOURCE = placeOf(SOURCE_DIMENSIONS[0]);

/** Changes a fact in place: a day has thousands. */
export function setSource(fact: Fact, [via, medium, campaign]: SourceNumbers): void {
  fact[FIRST_OF_SOURCE] = via;
  fact[FIRST_OF_SOURCE + 1] = medium;
  fact[FIRST_OF_SOURCE + 2] = campaign;
}

const sourceIn = (fact: Fact) => fact.slice(FIRST_OF_SOURCE, CLICKS) as [via: number, medium: number, campaign: number];

export function packSources(bytes: ByteWriter, facts: readonly Fact[]): void {
  bytes.number(SOURCES_FORMAT);
  let plain = 0;
  for (const fact of facts) {
    const [via, medium, campaign] = sourceIn(fact);
    const hasMore = medium !== UNKNOWN || campaign !== UNKNOWN;
    if (via === LINK && !hasMore) {
      plain += 1;
      continue;
    }
    bytes.number(plain * 2 + (hasMore ? 1 : 0));
    bytes.number(via);
    if (hasMore) {
      bytes.number(medium);
      bytes.number(campaign);
    }
    plain = 0;
  }
}

/** Gives the sources of facts, in their order. They are unknown where there are no bytes, as in rows of version 1.3.0. */
export class SourceReader {
  readonly #bytes: ByteReader | null;
  /** The number of facts before the next one that has something to say; null after the last. */
  #plain: number | null = null;
  #hasMore = false;

  constructor(bytes: ByteReader | null) {
    this.#bytes = bytes === null || bytes.isAtEnd ? null : bytes;
    if (this.#bytes === null) return;
    if (this.#bytes.number() !== SOURCES_FORMAT)
      throw new Error('the sources of clicks have a format that is not known');
    this.#readHead(this.#bytes);
  }

  next(): SourceNumbers {
    const bytes = this.#bytes;
    if (bytes === null) return UNKNOWN_SOURCE;
    if (this.#plain === null || this.#plain-- > 0) return PLAIN_SOURCE;
    const via = bytes.number();
    const [medium, campaign] = this.#hasMore ? [bytes.number(), bytes.number()] : [UNKNOWN, UNKNOWN];
    this.#readHead(bytes);
    return [via, medium, campaign];
  }

  #readHead(bytes: ByteReader): void {
    if (bytes.isAtEnd) {
      this.#plain = null;
      return;
    }
    const head = bytes.number();
    this.#plain = Math.floor(head / 2);
    this.#hasMore = head % 2 === 1;
  }
}

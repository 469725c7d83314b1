const MAX_LINKS = 2000;

/**
 * The links of which this isolate knows that all clicks are taken: at most 2,000, the oldest is dropped first. Clicks are
 * never given back, so this holds until the link is edited, which gives it another revision.
 */
export class Exhausted {
  readonly #revisions = new Map<string, number>();

  isKnown(linkId: string, revision: number): boolean {
    return this.#revisions.get(linkId) === revision;
  }

  add(linkId: string, revision: number): void {
    this.#revisions.delete(linkId);
    this.#revisions.set(linkId, revision);
    const [oldest] = this.#revisions.keys();
    if (this.#revisions.size > MAX_LINKS && oldest !== undefined) this.#revisions.delete(oldest);
  }
}

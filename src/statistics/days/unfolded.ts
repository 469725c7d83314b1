import { findGroups, readGroup, type StoredGroups } from '../append/deliveries.ts';
import { subjectsOf, type SubjectClicks } from '../questions/subject-clicks.ts';
import { PLAIN_SOURCE, type SourceNumbers } from '../sources.ts';

// More bytes than a delivery has.
const MAX_BYTES = 2 ** 22;

/**
 * Deliveries to be folded, and where in them the groups of each subject are. The groups themselves would take more than
 * a kilobyte each of the 128 MB that an object has, since each of them belongs to three subjects.
 */
export class Unfolded {
  readonly #bodies: ArrayBuffer[] = [];
  readonly #places = new Map<number, number[]>();
  /** The sources of the groups at these places, without those of plain links. */
  readonly #sources = new Map<number, SourceNumbers>();
  readonly #subjectsOf: typeof subjectsOf;

  /** @param of the subjects for which a group counts */
  constructor(of = subjectsOf) {
    this.#subjectsOf = of;
  }

  add(row: StoredGroups): void {
    const delivery = this.#bodies.push(row.body) - 1;
    for (const { at, source, ...group } of findGroups(row)) {
      const place = delivery * MAX_BYTES + at;
      if (source !== PLAIN_SOURCE) this.#sources.set(place, source);
      for (const subject of this.#subjectsOf(group)) {
        const places = this.#places.get(subject);
        if (places) places.push(place);
        else this.#places.set(subject, [place]);
      }
    }
  }

  /** The subjects that have groups, by number. */
  get subjects(): number[] {
    return [...this.#places.keys()].toSorted((a, b) => a - b);
  }

  /**
   * The number of groups of a subject.
   *
   * @param deliveries in how many of the deliveries that were added; in all without it
   */
  sizeOf(subject: number, deliveries = Number.MAX_SAFE_INTEGER): number {
    const places = this.#places.get(subject) ?? [];
    if (deliveries === 0 || deliveries >= this.#bodies.length) return deliveries === 0 ? 0 : places.length;
    const end = places.findIndex((place) => place >= deliveries * MAX_BYTES);
    return end === -1 ? places.length : end;
  }

  /** Adds groups of a subject, from one in its order to another. */
  gather(subject: number, gathered: SubjectClicks, from: number, to: number): void {
    for (const place of this.#places.get(subject)?.slice(from, to) ?? []) {
      const body = this.#bodies[Math.floor(place / MAX_BYTES)]!;
      gathered.add(subject, readGroup(body, place % MAX_BYTES, this.#sources.get(place) ?? PLAIN_SOURCE));
    }
  }
}

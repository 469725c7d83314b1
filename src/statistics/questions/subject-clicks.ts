import { HOUR_MS } from '../../time/day.ts';
import type { Group } from '../append/deliveries.ts';
import { CLICKS, Facts, KIND } from '../facts.ts';
import { CLIENT, type Totals } from '../subjects.ts';
import { countIn, type Counts, type Sums } from '../days/sums.ts';

const HOURS_A_DAY = 24;
const dayOfHour = (hour: number): number => Math.floor(hour / HOURS_A_DAY);

/** Clicks of one subject that are added to what is folded. */
export class SubjectClicks {
  readonly #days = new Map<number, { readonly facts: Facts; readonly links: Sums }>();
  readonly #marks = new Map<number, Uint8Array[]>();
  readonly #clicks: Counts = [0, 0, 0];
  #lastAt = 0;

  /** @param subject the number of the subject */
  add(subject: number, { link, hour, fact, lastAt, marks }: Group): void {
    const { facts, links } = this.#ofDay(dayOfHour(hour));
    facts.add(fact);
    this.#clicks[fact[KIND] as 0] += fact[CLICKS]!;
    this.#lastAt = Math.max(this.#lastAt, lastAt);
    if (subject === CLIENT) countIn(links, link, fact[KIND]!, fact[CLICKS]!);
    if (subject !== link || marks.length === 0) return;
    const ofHour = this.#marks.get(hour);
    if (ofHour) ofHour.push(marks);
    else this.#marks.set(hour, [marks]);
  }

  get totals(): Totals {
    return { clicks: this.#clicks, lastAt: this.#lastAt };
  }

  /** The clicks by UTC day, in days since the epoch. */
  get days(): ReadonlyMap<number, { readonly facts: Facts; readonly links: Sums }> {
    return this.#days;
  }

  /** The marks of visitors by hour since the epoch, only for a link. */
  get marks(): ReadonlyMap<number, readonly Uint8Array[]> {
    return this.#marks;
  }

  #ofDay(day: number) {
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const fresh = { facts: new Facts(), links: new Map() as Sums };
    this.#days.set(day, fresh);
    return fresh;
  }
}

/** The day of an instant, in days since the epoch. */
export const dayNumberOf = (at: number): number => dayOfHour(Math.floor(at / HOUR_MS));

/** The subjects that a group counts for. */
export function subjectsOf({ link, campaign }: Pick<Group, 'link' | 'campaign'>): readonly number[] {
  return campaign === 0 ? [CLIENT, link] : [CLIENT, link, campaign];
}

import { dayOf, HOUR_MS } from '../time/day.ts';
import { hasMarks, marksIn, type Pack, type PackedGroup, type PackedLink, type PackedProfile } from './pack.ts';
import { classifyVisitor, type Kind, type Visitor } from './visitor.ts';

/** The breakdowns of clicks, each with its column of `click_days`. */
export const COLUMN_BY_DIMENSION = {
  hour: 'hours',
  country: 'countries',
  referrer: 'referrers',
  browser: 'browsers',
  os: 'systems',
  device: 'devices',
  language: 'languages',
  /** Only for the clicks of a whole client. */
  link: 'links',
} as const;

export type Dimension = keyof typeof COLUMN_BY_DIMENSION;
export type DimensionColumn = (typeof COLUMN_BY_DIMENSION)[Dimension];

/** The counter of each kind, by the letter of the kind in the keys of a breakdown. */
export const COUNTER_BY_LETTER = { h: 'humans', b: 'bots', p: 'previews' } as const;

const LETTER_BY_KIND = { human: 'h', bot: 'b', preview: 'p' } as const satisfies Record<Kind, string>;

export type Subject = 'link' | 'campaign' | 'client';

/** `<kind letter>:<value>` to clicks; an unknown value is ''. */
export type Breakdown = Record<string, number>;

/** The clicks of one subject on one UTC day. */
export interface DaySum extends Record<DimensionColumn, Breakdown> {
  readonly clientId: string;
  readonly subject: Subject;
  /** A link's id, a campaign's name, or '' for the client. */
  readonly name: string;
  readonly day: string;
  humans: number;
  bots: number;
  previews: number;
  lastAt: number;
}

/** The visitors of one link in one hour. */
export interface HourMarks {
  readonly linkId: string;
  readonly day: string;
  readonly hour: number;
  readonly marks: readonly string[];
}

export interface Sums {
  readonly days: readonly DaySum[];
  readonly marks: readonly HourMarks[];
}

/**
 * Adds up the clicks of some packs by subject and day, and gathers their visitors' marks by link and hour. Clicks are
 * tallied by profile first, so that a profile is read once for each of its subjects, not for each group.
 */
export function addUp(packs: readonly Pack[]): Sums {
  const tallies = new Map<string, Tally>();
  const profiles = new CountedProfiles();
  for (const pack of packs) {
    const counted = pack.profiles.map((profile) => profiles.of(profile, pack.agents));
    const talliesByDay = new Map<string, Map<number, readonly Tally[]>>();
    for (const group of pack.groups) {
      const [linkIndex, profileIndex] = group;
      const [link, profile] = [pack.links[linkIndex], counted[profileIndex]];
      if (!link || !profile) continue;
      const { day } = profile;
      const ofDay = ensure(talliesByDay, day, () => new Map<number, readonly Tally[]>());
      for (const tally of ensure(ofDay, linkIndex, () => talliesOf(tallies, link, day)))
        tally.add(profile, group, pack.at);
    }
  }
  return { days: toSums(tallies), marks: [...tallies.values()].flatMap((tally) => tally.marks()) };
}

/** The tallies that count a link's clicks of a day. */
function talliesOf(tallies: Map<string, Tally>, [id, clientId, campaignName]: PackedLink, day: string): Tally[] {
  const subjects: [Subject, string][] = [
    ['link', id],
    ['client', ''],
  ];
  if (campaignName !== null) subjects.push(['campaign', campaignName]);
  return subjects.map(([subject, name]) => {
    const daySubject = { clientId, subject, name, day };
    return ensure(tallies, keyOf(daySubject), () => new Tally(daySubject));
  });
}

function toSums(tallies: ReadonlyMap<string, Tally>): DaySum[] {
  const sums = new Map([...tallies].map(([key, tally]) => [key, tally.sum()]));
  for (const sum of sums.values()) {
    if (sum.subject !== 'link') continue;
    const ofClient = sums.get(keyOf({ ...sum, subject: 'client', name: '' }));
    for (const [letter, counter] of Object.entries(COUNTER_BY_LETTER)) {
      if (ofClient && sum[counter] > 0) ofClient.links[`${letter}:${sum.name}`] = sum[counter];
    }
  }
  return [...sums.values()];
}

type DaySubject = Pick<DaySum, 'clientId' | 'subject' | 'name' | 'day'>;

function keyOf({ clientId, subject, name, day }: DaySubject): string {
  return `${clientId} ${subject} ${day} ${name}`;
}

/** The clicks of one subject on one UTC day by profile, and for a link its visitors by hour. */
class Tally {
  readonly #subject: DaySubject;
  readonly #clicks = new Map<CountedProfile, number>();
  readonly #marks = new Map<number, Set<string>>();
  #lastAt = 0;

  constructor(subject: DaySubject) {
    this.#subject = subject;
  }

  add(profile: CountedProfile, group: PackedGroup, packedAt: number): void {
    const [, , clicks, agoMs] = group;
    this.#clicks.set(profile, (this.#clicks.get(profile) ?? 0) + clicks);
    this.#lastAt = Math.max(this.#lastAt, packedAt - agoMs);
    if (this.#subject.subject !== 'link' || profile.kind !== 'human' || !hasMarks(group)) return;
    const marks = ensure(this.#marks, profile.hour, () => new Set<string>());
    for (const mark of marksIn(group)) marks.add(mark);
  }

  sum(): DaySum {
    const counters = { humans: 0, bots: 0, previews: 0, lastAt: this.#lastAt };
    const ofVisits = { hours: {}, countries: {}, referrers: {}, browsers: {}, systems: {}, devices: {}, languages: {} };
    const sum: DaySum = { ...this.#subject, ...counters, ...ofVisits, links: {} };
    for (const [{ kind, values }, clicks] of this.#clicks) {
      sum[COUNTER_BY_LETTER[LETTER_BY_KIND[kind]]] += clicks;
      for (const [column, value] of values) sum[column][value] = (sum[column][value] ?? 0) + clicks;
    }
    return sum;
  }

  marks(): HourMarks[] {
    const { name, day } = this.#subject;
    return [...this.#marks].map(([hour, marks]) => ({ linkId: name, day, hour, marks: [...marks] }));
  }
}

/** A profile, as it is counted. */
interface CountedProfile {
  readonly kind: Kind;
  readonly day: string;
  /** The hour of the day, from 0 to 23. */
  readonly hour: number;
  readonly values: readonly (readonly [column: DimensionColumn, value: string])[];
}

/** The profiles of some packs: equal ones are one object, and each agent is classified once. */
class CountedProfiles {
  readonly #visitors = new Map<string | null, Visitor>();
  readonly #profiles = new Map<string, CountedProfile>();

  of(packed: PackedProfile, agents: readonly string[]): CountedProfile {
    const [hour, country, referrer, agentIndex, language] = packed;
    const agent = agentIndex === null ? null : (agents[agentIndex] ?? null);
    const key = JSON.stringify([hour, country, referrer, agent, language]);
    return ensure(this.#profiles, key, () => toCounted(packed, this.#visitorOf(agent)));
  }

  #visitorOf(agent: string | null): Visitor {
    return ensure(this.#visitors, agent, () => classifyVisitor(agent));
  }
}

function toCounted([hour, country, referrer, , language]: PackedProfile, visitor: Visitor): CountedProfile {
  const { kind, browser, os, device } = visitor;
  const prefix = `${LETTER_BY_KIND[kind]}:`;
  const at = new Date(hour * HOUR_MS);
  return {
    kind,
    day: dayOf(at.getTime()),
    hour: at.getUTCHours(),
    values: [
      ['hours', prefix + at.getUTCHours()],
      ['countries', prefix + (country ?? '')],
      ['referrers', prefix + (referrer ?? '')],
      ['browsers', prefix + (browser ?? '')],
      ['systems', prefix + (os ?? '')],
      ['devices', prefix + (device ?? '')],
      ['languages', prefix + (language ?? '')],
    ],
  };
}

function ensure<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

import { dayOf } from './day.ts';
import type { Pack, PackedGroup } from './pack.ts';
import { classifyVisitor, type Kind, type Visitor } from './visitor.ts';

/** What clicks can be broken down by, each with the column of `click_days` that keeps it. */
export const COLUMN_BY_DIMENSION = {
  hour: 'hours',
  country: 'countries',
  referrer: 'referrers',
  browser: 'browsers',
  os: 'systems',
  device: 'devices',
  language: 'languages',
} as const;

export type Dimension = keyof typeof COLUMN_BY_DIMENSION;
export type DimensionColumn = (typeof COLUMN_BY_DIMENSION)[Dimension];

/** The counter of each kind, by the letter that the kind has in the keys of a breakdown. */
export const COUNTER_BY_LETTER = { h: 'humans', b: 'bots', p: 'previews' } as const;

const LETTER_BY_KIND = { human: 'h', bot: 'b', preview: 'p' } as const satisfies Record<Kind, string>;

export type Subject = 'link' | 'campaign' | 'client';

/** `<kind letter>:<value>` to clicks; what is not known has the value ''. */
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

/** Adds up the clicks of some packs by subject and day, and gathers their visitors' marks by link and hour. */
export function addUp(packs: readonly Pack[]): Sums {
  const days = new Map<string, DaySum>();
  const marks = new Map<string, Omit<HourMarks, 'marks'> & { readonly marks: Set<string> }>();
  for (const pack of packs) {
    const visitors = pack.agents.map(classifyVisitor);
    for (const group of pack.groups) {
      const link = pack.links[group.link];
      if (!link) continue;
      const visitor = (group.agent === null ? undefined : visitors[group.agent]) ?? NOBODY;
      const day = dayOf(group.at);
      const values = valuesOf(group, visitor);
      const subjects: [Subject, string][] = [
        ['link', link.id],
        ['client', ''],
      ];
      if (link.campaignName !== null) subjects.push(['campaign', link.campaignName]);
      for (const [subject, name] of subjects) {
        const key = `${link.clientId} ${subject} ${day} ${name}`;
        const sum = ensure(days, key, () => emptySum(link.clientId, subject, name, day));
        sum[COUNTER_BY_LETTER[LETTER_BY_KIND[visitor.kind]]] += group.clicks;
        sum.lastAt = Math.max(sum.lastAt, group.at);
        for (const [column, value] of values) sum[column][value] = (sum[column][value] ?? 0) + group.clicks;
      }
      if (group.marks.length > 0 && visitor.kind === 'human') {
        const hour = hourOf(group.at);
        const key = `${link.id} ${day} ${hour}`;
        const known = ensure(marks, key, () => ({ linkId: link.id, day, hour, marks: new Set<string>() })).marks;
        for (const mark of group.marks) known.add(mark);
      }
    }
  }
  return { days: [...days.values()], marks: [...marks.values()].map((hour) => ({ ...hour, marks: [...hour.marks] })) };
}

const NOBODY = classifyVisitor(null);

function emptySum(clientId: string, subject: Subject, name: string, day: string): DaySum {
  const counters = { humans: 0, bots: 0, previews: 0, lastAt: 0 };
  const breakdowns = { hours: {}, countries: {}, referrers: {}, browsers: {}, systems: {}, devices: {}, languages: {} };
  return { clientId, subject, name, day, ...counters, ...breakdowns };
}

/** What a group counts for in each breakdown. */
function valuesOf(group: PackedGroup, visitor: Visitor): (readonly [column: DimensionColumn, value: string])[] {
  const prefix = `${LETTER_BY_KIND[visitor.kind]}:`;
  return [
    ['hours', prefix + hourOf(group.at)],
    ['countries', prefix + (group.country ?? '')],
    ['referrers', prefix + (group.referrer ?? '')],
    ['browsers', prefix + (visitor.browser ?? '')],
    ['systems', prefix + (visitor.os ?? '')],
    ['devices', prefix + (visitor.device ?? '')],
    ['languages', prefix + (group.language ?? '')],
  ];
}

function hourOf(at: number): number {
  return new Date(at).getUTCHours();
}

function ensure<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

import { dayOf } from './day.ts';
import { HOUR_MS } from './groups.ts';
import { hasMarks, marksIn, type Pack, type PackedLink, type PackedProfile } from './pack.ts';
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
  /** Of the whole client's clicks alone. */
  link: 'links',
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
    const profiles = pack.profiles.map((profile) => toCounted(profile, visitors));
    const sumsByLink = new Map<string, readonly DaySum[]>();
    for (const group of pack.groups) {
      const [linkPlace, profilePlace, clicks, agoMs] = group;
      const [link, profile] = [pack.links[linkPlace], profiles[profilePlace]];
      if (!link || !profile) continue;
      const { kind, day, hour, values } = profile;
      const sums = ensure(sumsByLink, `${linkPlace} ${day}`, () => sumsOf(days, link, day));
      for (const sum of sums) {
        sum[COUNTER_BY_LETTER[LETTER_BY_KIND[kind]]] += clicks;
        sum.lastAt = Math.max(sum.lastAt, pack.at - agoMs);
        for (const [column, value] of values) sum[column][value] = (sum[column][value] ?? 0) + clicks;
        if (sum.subject !== 'client') continue;
        const ofLink = `${LETTER_BY_KIND[kind]}:${link[0]}`;
        sum.links[ofLink] = (sum.links[ofLink] ?? 0) + clicks;
      }
      if (kind !== 'human' || !hasMarks(group)) continue;
      const [linkId] = link;
      const fresh = () => ({ linkId, day, hour, marks: new Set<string>() });
      const known = ensure(marks, `${linkId} ${day} ${hour}`, fresh).marks;
      for (const mark of marksIn(group)) known.add(mark);
    }
  }
  return { days: [...days.values()], marks: [...marks.values()].map((hour) => ({ ...hour, marks: [...hour.marks] })) };
}

/** The sums in which a link's clicks of a day count. */
function sumsOf(days: Map<string, DaySum>, [id, clientId, campaignName]: PackedLink, day: string): DaySum[] {
  const subjects: [Subject, string][] = [
    ['link', id],
    ['client', ''],
  ];
  if (campaignName !== null) subjects.push(['campaign', campaignName]);
  return subjects.map(([subject, name]) =>
    ensure(days, `${clientId} ${subject} ${day} ${name}`, () => emptySum(clientId, subject, name, day)),
  );
}

/** A profile as it is counted. */
interface CountedProfile {
  readonly kind: Kind;
  readonly day: string;
  /** Of the day, from 0 to 23. */
  readonly hour: number;
  readonly values: readonly (readonly [column: DimensionColumn, value: string])[];
}

const NOBODY = classifyVisitor(null);

function toCounted([hour, country, referrer, agent, language]: PackedProfile, visitors: readonly Visitor[]) {
  const { kind, browser, os, device } = (agent === null ? undefined : visitors[agent]) ?? NOBODY;
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
  } satisfies CountedProfile;
}

function emptySum(clientId: string, subject: Subject, name: string, day: string): DaySum {
  const counters = { humans: 0, bots: 0, previews: 0, lastAt: 0 };
  const ofVisits = { hours: {}, countries: {}, referrers: {}, browsers: {}, systems: {}, devices: {}, languages: {} };
  return { clientId, subject, name, day, ...counters, ...ofVisits, links: {} };
}

function ensure<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

import {
  CLICKS,
  DIMENSIONS,
  Facts,
  HOUR,
  KIND,
  OTHER,
  placeOf,
  SOURCE_DIMENSIONS,
  UNKNOWN,
  type Dimension,
  type Fact,
} from '../facts.ts';
import {
  addCounts,
  addLimited,
  addSums,
  excessOf,
  MAX_VALUES,
  sumFacts,
  SUMMED,
  type Counts,
  type Summed,
  type Sums,
} from './sums.ts';

/** The clicks of one subject on one UTC day. */
export interface Day {
  readonly facts: readonly Fact[];
  /** True if the facts say the hour; it is 0 otherwise. */
  readonly hasHours: boolean;
  /** Sums that the facts do not give: of a day with too many facts, by hour without hours, and by link. */
  readonly sums: ReadonlyMap<Summed, Sums>;
}

export const NO_CLICKS: Day = { facts: [], hasHours: true, sums: new Map() };

/** The most facts of a day of a link or of a campaign, and of a day of a client. */
export const MAX_FACTS = { subject: 5000, client: 2000 } as const;

// The order in which facts lose dimensions, if there are too many: the dimension with most values is first, and the one that
// people filter by most is last. The hour stays, so that the clicks of a day can be placed in any time zone.
const MERGED_FIRST: readonly Dimension[] = [
  'referrer',
  'utm_campaign',
  'language',
  'utm_medium',
  'os',
  'browser',
  'via',
  'campaign',
  'destination',
  'country',
  'device',
];

/** Clicks to be added to a day. */
interface Added {
  /** No two have the same properties. */
  readonly facts: readonly Fact[];
  /** The clicks by link, for a day of a client. */
  readonly links: Sums;
}

/**
 * Adds clicks to a day. Values that the day has stay; new ones fill the remaining places, the most clicked first. If there
 * are more facts than a day keeps, the sums stay exact, and the facts with fewest clicks are merged.
 */
export function addToDay(day: Day, { facts, links }: Added, maxFacts: number): Day {
  // They are all that the day has, and there is place for all their values.
  if (day === NO_CLICKS && facts.length <= Math.min(MAX_VALUES, maxFacts) && links.size <= MAX_VALUES)
    return { ...day, facts, sums: new Map(links.size > 0 ? [['link', links]] : []) };
  const added = DIMENSIONS.reduce((list, dimension) => limitValues(day, list, dimension), facts);
  const all = new Facts(day.facts);
  for (const fact of day.hasHours ? added : added.map(withoutHour)) all.add(fact);
  const sums = new Map(day.sums);
  if (links.size > 0) sums.set('link', addLimited(sumsOf(day, 'link'), links, 'link'));
  for (const by of ['hour', ...DIMENSIONS] as const) {
    const known = sums.get(by);
    if (known !== undefined) sums.set(by, addSums(known, sumFacts(added, by)));
    else if (all.size > maxFacts) sums.set(by, sumFacts(all.list(), by));
  }
  return { ...day, facts: mergeRarest(all, maxFacts), sums };
}

/** The clicks of a day by hour, by the words of a dimension, or by link. */
export function sumsOf(day: Day, by: Summed): Sums {
  return day.sums.get(by) ?? (by === 'link' ? new Map() : sumFacts(day.facts, by));
}

/** All clicks of a day, by kind. */
export function totalOf(day: Day): Counts {
  const total: Counts = [0, 0, 0];
  const known = day.sums.get('hour');
  if (known === undefined) for (const fact of day.facts) total[fact[KIND] as 0] += fact[CLICKS]!;
  else for (const counts of known.values()) addCounts(total, counts);
  return total;
}

/** True if the facts of a day say of each of its clicks what it was. */
export function hasAllFacts(day: Day): boolean {
  return countFacts(day.facts) === countAll(totalOf(day));
}

/** The clicks of facts, of all kinds. */
export const countFacts = (facts: readonly Fact[]): number => facts.reduce((clicks, fact) => clicks + fact[CLICKS]!, 0);

/** Clicks of all kinds. */
export const countAll = (counts: Counts): number => counts.reduce((sum, clicks) => sum + clicks);

const LAST_HOUR = 23;

/**
 * The clicks of some hours of a day, both included. Sums are not kept by hour: without facts that say the hour, and by link,
 * the clicks count as `other`.
 */
export function cutDay(day: Day, first: number, last: number): Day {
  if (first <= 0 && last >= LAST_HOUR) return day;
  const hours = new Map([...sumsOf(day, 'hour')].filter(([hour]) => hour >= first && hour <= last));
  const total: Counts = [0, 0, 0];
  for (const counts of hours.values()) addCounts(total, counts);
  const others: Sums = new Map([[OTHER, total]]);
  if (countAll(total) === 0) return NO_CLICKS;
  if (day.hasHours && hasAllFacts(day)) {
    const facts = day.facts.filter((fact) => fact[HOUR]! >= first && fact[HOUR]! <= last);
    return { facts, hasHours: true, sums: new Map([['link', others]]) };
  }
  const sums = SUMMED.map((by) => [by, by === 'hour' ? hours : others] as const);
  return { facts: [], hasHours: false, sums: new Map(sums) };
}

/** A measure of the work that it takes to read a day. */
export function sizeOf({ facts, sums }: Day): number {
  return [...sums.values()].reduce((size, { size: values }) => size + values, 1 + facts.length);
}

/**
 * A day as it was read, also one that version 1.3.0 has stored: that has no sums of sources, so that it is not known what
 * brought its visitors.
 */
export function withUnknownSources(day: Day, wanted: ReadonlySet<Summed>): Day {
  const missing = SOURCE_DIMENSIONS.filter((by) => wanted.has(by) && (day.sums.get(by)?.size ?? 0) === 0);
  // Facts say it, if there are facts of all clicks.
  if (missing.length === 0 || !day.sums.has('hour') || hasAllFacts(day)) return day;
  const unknown: Sums = new Map([[UNKNOWN, totalOf(day)]]);
  return { ...day, sums: new Map([...day.sums, ...missing.map((by) => [by, unknown] as const)]) };
}

/** A day whose facts no longer say the hour. Its sums still do. */
export function mergeHours(day: Day): Day {
  const facts = new Facts(day.facts.map(withoutHour));
  return { facts: facts.list(), hasHours: false, sums: new Map(day.sums).set('hour', sumsOf(day, 'hour')) };
}

/** Joins two parts of a day to one that has only sums. */
export function joinSums(one: Day, other: Day): Day {
  const sums = SUMMED.map((by) => [by, addLimited(sumsOf(one, by), sumsOf(other, by), by)] as const);
  return { facts: [], hasHours: false, sums: new Map(sums) };
}

const withoutHour = (fact: Fact): Fact => fact.with(HOUR, 0);

/** Replaces the values of a dimension for which a day has no place. */
function limitValues(day: Day, added: readonly Fact[], dimension: Dimension): readonly Fact[] {
  if (!day.sums.has(dimension) && day.facts.length + added.length <= MAX_VALUES) return added;
  const excess = excessOf(sumsOf(day, dimension), sumFacts(added, dimension), dimension);
  if (excess === null) return added;
  const place = placeOf(dimension);
  return added.map((fact) => (excess[fact[KIND]!]!.has(fact[place]!) ? fact.with(place, OTHER) : fact));
}

/** Merges the facts with fewest clicks, in as few dimensions as are needed. */
function mergeRarest(all: Facts, maxFacts: number): Fact[] {
  const facts = all.list();
  if (facts.length <= maxFacts) return facts;
  const ranked = facts.toSorted((a, b) => b[CLICKS]! - a[CLICKS]!);
  // Half stays as it is, so that this is not needed again at once.
  const [kept, rare] = [ranked.slice(0, maxFacts / 2), ranked.slice(maxFacts / 2)];
  const merge = (dimensions: number): Fact[] => {
    const places = MERGED_FIRST.slice(0, dimensions).map(placeOf);
    const merged = new Facts(kept);
    for (const fact of rare) merged.add(withOther(fact, places));
    return merged.list();
  };
  // With many facts, each attempt takes some 50 ms.
  let [few, enough] = [1, MERGED_FIRST.length];
  while (few < enough) {
    const middle = Math.floor((few + enough) / 2);
    if (merge(middle).length <= maxFacts) enough = middle;
    else few = middle + 1;
  }
  return merge(enough);
}

function withOther(fact: Fact, places: readonly number[]): Fact {
  const other = [...fact];
  for (const place of places) other[place] = OTHER;
  return other;
}

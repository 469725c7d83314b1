import { DAY_MS } from '../../time/day.ts';
import { marksOf, packGroups, type Group } from './deliveries.ts';
import type { Delivery, DeliveredGroup } from './delivery.ts';
import { DIMENSIONS, KINDS, OTHER, placeOf, type Dimension, type Fact } from '../facts.ts';
import { readRenames } from '../renames.ts';
import type { Storage } from '../schema.ts';
import { packMarks } from './pack-marks.ts';
import { markOf, type SeenPacks } from './seen.ts';
import { addSubjects } from '../subjects.ts';
import { addWords, type NumberOf } from '../words.ts';

/** True if there was no place for a word of a delivery, which is stored as `other`. */
export type IsOther = (dimension: Dimension, word: string) => boolean;

/** The part of a delivery that was stored. */
export interface Appended {
  readonly rows: number;
  /** The number of groups, as `packGroups` counts them. */
  readonly size: number;
  readonly groups: readonly DeliveredGroup[];
  /** True if a word of it is stored as `other`. */
  readonly isOther: IsOther;
}

/**
 * Stores a delivery and marks its packs as seen, in one transaction; leaves out packs that were seen before. Throws what the
 * storage throws: then nothing is stored.
 */
export function appendDelivery(storage: Storage, seen: SeenPacks, delivery: Delivery, now: number): Appended {
  try {
    const appended = storage.transactionSync(() => store(storage.sql, seen, delivery, now));
    seen.trim();
    return appended;
  } catch (cause) {
    // A pack that could not be stored must not count as seen.
    seen.reset();
    throw cause;
  }
}

function store(sql: SqlStorage, seen: SeenPacks, delivery: Delivery, now: number): Appended {
  const marks = delivery.packs.map(markOf);
  const fresh = new Set<number>();
  for (const [index, mark] of marks.entries()) {
    if (seen.has(mark)) continue;
    seen.add(mark);
    fresh.add(index);
  }
  const groups = delivery.groups.filter(([pack]) => fresh.has(pack));
  if (groups.length === 0) return { rows: 0, size: 0, groups, isOther: () => false };
  const { numbered, isOther } = numberGroups(sql, delivery, groups, now);
  const packed = packGroups(numbered);
  const packs = packMarks(marks.filter((_, index) => fresh.has(index)));
  for (const [index, { groups: count, body, sources }] of packed.entries()) {
    sql.exec(
      'INSERT INTO deliveries (at, groups, packs, body, sources) VALUES (?1, ?2, ?3, ?4, ?5)',
      now,
      count,
      index === 0 ? packs : new Uint8Array(0),
      body,
      sources,
    );
  }
  const size = packed.reduce((sum, { groups: count }) => sum + count, 0);
  return { rows: packed.length, size, groups, isOther };
}

// The dimensions whose words a profile has, after the hour and the kind. The campaign is the link's.
const OF_PROFILE = DIMENSIONS.filter((dimension) => dimension !== 'campaign');
const FIRST_OF_PROFILE = 2;
const CAMPAIGN = placeOf('campaign');

/** Replaces names and words by their numbers. */
function numberGroups(sql: SqlStorage, delivery: Delivery, groups: readonly DeliveredGroup[], now: number) {
  const renames = readRenames(sql, now);
  const links = delivery.links.map(([id, former]) => {
    const campaign = wordOf(former);
    return [id.toWellFormed(), campaign === null ? null : (renames.get(campaign) ?? campaign)] as const;
  });
  const profiles = delivery.profiles.map(([hour, kind, ...words]) => [hour, kind, ...words.map(wordOf)] as const);
  const wanted: Record<Dimension, Map<string, number>> = byDimension(() => new Map());
  const linkNames = new Set<string>();
  for (const [, link, profile, clicks] of groups) {
    const [id, campaign] = links[link]!;
    linkNames.add(id);
    want(wanted.campaign, campaign, clicks);
    for (const [index, dimension] of OF_PROFILE.entries()) {
      want(wanted[dimension], (profiles[profile]![FIRST_OF_PROFILE + index] as string | undefined) ?? null, clicks);
    }
  }
  const today = Math.floor(now / DAY_MS);
  const numbers: Record<Dimension, NumberOf> = byDimension((dimension) =>
    addWords(sql, dimension, wanted[dimension], today),
  );
  const linkNumbers = addSubjects(sql, 'link', [...linkNames]);
  const campaignNumbers = addSubjects(sql, 'campaign', [...wanted.campaign.keys()]);
  const facts = profiles.map(([hour, kind, ...words]): Fact => [
    hour % 24,
    KINDS.indexOf(kind),
    ...OF_PROFILE.map((dimension, index) => numbers[dimension](words[index] ?? null)),
  ]);
  const numbered = groups.map((group): Group => {
    const [, link, profile, clicks, lastAt] = group;
    const [id, campaign] = links[link]!;
    const [hour, kind] = profiles[profile]!;
    return {
      link: linkNumbers.get(id)!,
      campaign: campaign === null ? 0 : campaignNumbers.get(campaign)!,
      hour,
      fact: [...facts[profile]!.toSpliced(CAMPAIGN, 0, numbers.campaign(campaign)), clicks],
      lastAt,
      marks: marksOf(group, kind),
    };
  });
  return { numbered, isOther: (dimension: Dimension, word: string) => numbers[dimension](wordOf(word)) === OTHER };
}

// SQLite stores UTF-8, which has no lone surrogates: it would give back another word, and refuse to store this one again.
// Questions say '' for what is not known.
function wordOf(word: string | null | undefined): string | null {
  return word === '' ? null : (word?.toWellFormed() ?? null);
}

function want(words: Map<string, number>, word: string | null, clicks: number): void {
  if (word !== null) words.set(word, (words.get(word) ?? 0) + clicks);
}

function byDimension<T>(of: (dimension: Dimension) => T): Record<Dimension, T> {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, of(dimension)])) as Record<Dimension, T>;
}

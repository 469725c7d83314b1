import { placeOf, KIND, KINDS, CLICKS, OTHER_WORD, SOURCE_DIMENSIONS, type Dimension, type Kind } from '../facts.ts';
import { findGroups, readGroup, type FoundGroup, type Group, type StoredGroups } from '../append/deliveries.ts';
import type { IsOther } from '../append/append.ts';
import type { DeliveredGroup, Delivery } from '../append/delivery.ts';
import { findSubjects, readSubjects } from '../subjects.ts';
import { readWords } from '../words.ts';

/** Clicks that were counted a moment ago, in the order of their counting. */

/** When clicks were counted, in milliseconds since the epoch, and which of that millisecond they are, from 1 on. */
export interface ClickPosition {
  readonly countedAt: number;
  readonly n: number;
}

/** Clicks of one link that are alike and came in one pack. What is not known is null. */
export interface Counted extends ClickPosition {
  /** The id of the link. */
  readonly link: string;
  /** When the last of them happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly clicks: number;
  readonly kind: Kind;
  readonly country: string | null;
  readonly referrer: string | null;
  readonly browser: string | null;
  readonly os: string | null;
  readonly device: string | null;
  /** Absent from an object of version 1.3.0, as medium and campaign are. */
  readonly via?: string | null;
  readonly utmMedium?: string | null;
  readonly utmCampaign?: string | null;
}

export const isAfter = (place: ClickPosition, other: ClickPosition): boolean =>
  place.countedAt > other.countedAt || (place.countedAt === other.countedAt && place.n > other.n);

/** The place after another one, for clicks that are counted now: places rise even if the clock does not. */
function nextPlace({ countedAt, n }: ClickPosition, now: number): ClickPosition {
  return now > countedAt ? { countedAt: now, n: 1 } : { countedAt, n: n + 1 };
}

export const FIRST_POSITION: ClickPosition = { countedAt: 0, n: 0 };

/**
 * The groups of a delivery as they are counted now.
 *
 * @param isOther whether a word is stored as `other`
 */
export function countedOf(
  { links, profiles }: Delivery,
  groups: readonly DeliveredGroup[],
  after: ClickPosition,
  now: number,
  isOther: IsOther,
): Counted[] {
  let place = after;
  const stored = (dimension: Dimension, word: string | null = null) =>
    word !== null && isOther(dimension, word) ? OTHER_WORD : word;
  return groups.map(([, link, profile, clicks, at]) => {
    place = nextPlace(place, now);
    const [, kind, country, referrer, browser, os, device, , , via, medium, campaign] = profiles[profile]!;
    return {
      ...place,
      link: links[link]![0],
      at,
      clicks,
      kind,
      country,
      referrer: stored('referrer', referrer),
      browser,
      os,
      device,
      via: stored('via', via),
      utmMedium: stored('utm_medium', medium),
      utmCampaign: stored('utm_campaign', campaign),
    };
  });
}

/** Which clicks are wanted: those counted after an instant, the last so many of them, of all links or of one. */
export interface Wish {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly most: number;
  readonly link: string | null;
}

/** Of all deliveries together, which bounds the time of a question. */
const MAX_BYTES = 4_000_000;

/**
 * The last clicks that are not folded yet, the oldest first: those of the last minute, and at most of the last hour. Their
 * places are those that they had when they were counted.
 */
export function readCounted(sql: SqlStorage, { since, most, link }: Wish): Counted[] {
  const wanted = link === null ? null : findSubjects(sql, 'link', [link]).get(link);
  if (wanted === undefined) return [];
  const rows = lastDeliveries(sql, since);
  const places = new ClickPositions();
  const found: [place: ClickPosition, body: ArrayBuffer, group: FoundGroup][] = [];
  for (const { at, ...row } of rows) {
    for (const group of findGroups(row)) {
      const place = places.next(at);
      if (wanted === null || group.link === wanted) found.push([place, row.body, group]);
    }
    if (found.length > most) found.splice(0, found.length - most);
  }
  return named(
    sql,
    found.map(([place, body, { at, source }]) => [place, readGroup(body, at, source)]),
  );
}

interface Row extends Record<string, SqlStorageValue>, StoredGroups {
  readonly at: number;
}

/** The oldest first. */
function lastDeliveries(sql: SqlStorage, since: number): Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of sql.exec<Row>('SELECT at, body, sources FROM deliveries ORDER BY id DESC')) {
    bytes += row.body.byteLength;
    if (row.at <= since || (bytes > MAX_BYTES && rows.length > 0)) break;
    rows.push(row);
  }
  return rows.toReversed();
}

class ClickPositions {
  #last = FIRST_POSITION;

  next(at: number): ClickPosition {
    return (this.#last = nextPlace(this.#last, at));
  }
}

/** Replaces numbers by names and words; links that have been purged are left out. */
function named(sql: SqlStorage, found: readonly (readonly [ClickPosition, Group])[]): Counted[] {
  const numbersOf = (of: (group: Group) => number) => [...new Set(found.map(([, group]) => of(group)))];
  const links = readSubjects(
    sql,
    numbersOf(({ link }) => link),
  );
  const wordsOf = (dimension: Dimension) => {
    const place = placeOf(dimension);
    const words = readWords(
      sql,
      dimension,
      numbersOf(({ fact }) => fact[place]!),
    );
    return ({ fact }: Group) => words.get(fact[place]!) || null;
  };
  const [country, referrer, browser] = [wordsOf('country'), wordsOf('referrer'), wordsOf('browser')];
  const [os, device] = [wordsOf('os'), wordsOf('device')];
  const [via, utmMedium, utmCampaign] = SOURCE_DIMENSIONS.map(wordsOf) as [WordIn, WordIn, WordIn];
  return found.flatMap(([place, group]) => {
    const { link: number, fact, lastAt: at } = group;
    const link = links.get(number);
    if (link === undefined) return [];
    const [kind, clicks] = [KINDS[fact[KIND]!]!, fact[CLICKS]!];
    const visitor = { country: country(group), referrer: referrer(group), browser: browser(group) };
    const source = { via: via(group), utmMedium: utmMedium(group), utmCampaign: utmCampaign(group) };
    return [{ ...place, link, at, clicks, kind, ...visitor, os: os(group), device: device(group), ...source }];
  });
}

/** Gives a word of a group. */
type WordIn = (group: Group) => string | null;

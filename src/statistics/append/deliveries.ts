import { HOUR_MS, LAST_INSTANT } from '../../time/day.ts';
import { ByteReader, ByteWriter } from '../bytes.ts';
import type { DeliveredGroup } from './delivery.ts';
import { CLICKS, FIRST_WORD, HOUR, KIND, type Fact, type Kind } from '../facts.ts';
import {
  FIRST_OF_SOURCE,
  SOURCES_FORMAT,
  packSources,
  PLAIN_SOURCE,
  SourceReader,
  type SourceNumbers,
} from '../sources.ts';

/** Clicks as they were delivered, until they are folded. */

/** The length of a visitor's mark. */
export const MARK_BYTES = 6;

/** Clicks of one link, hour and profile. */
export interface Group {
  readonly link: number;
  /** 0 without a campaign. */
  readonly campaign: number;
  /** Since the epoch. */
  readonly hour: number;
  /** With the hour of its day. */
  readonly fact: Fact;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
  /** The visitors' marks, `MARK_BYTES` each. */
  readonly marks: Uint8Array;
}

// A row may have 2 MB.
const MAX_BODY_BYTES = 1_000_000;

// The last one that a `Date` can name.
const MAX_HOUR = LAST_INSTANT / HOUR_MS;

// Of a group with a dozen visitors.
const LARGE_GROUP_BYTES = 100;

/**
 * Groups as bytes, in as few rows as possible. Each group can be skipped by its length. Many marks count as more groups, so
 * that a number of groups bounds the bytes as well.
 */
export function packGroups(groups: readonly Group[]): PackedGroups[] {
  const rows: { facts: Fact[]; body: ByteWriter }[] = [];
  for (const group of groups) {
    const rest = packRest(group);
    let row = rows.at(-1);
    if (row === undefined || row.body.length + rest.length > MAX_BODY_BYTES)
      rows.push((row = { facts: [], body: new ByteWriter() }));
    row.facts.push(group.fact);
    row.body.number(group.link);
    row.body.number(group.campaign);
    row.body.number(rest.length);
    row.body.bytes(rest);
  }
  return rows.map(({ facts, body }) => {
    const sources = new ByteWriter(32);
    packSources(sources, facts);
    return {
      groups: Math.max(facts.length, Math.ceil(body.length / LARGE_GROUP_BYTES)),
      body: body.take(),
      sources: sources.take(),
    };
  });
}

/** A row of deliveries to be stored. */
interface PackedGroups {
  readonly groups: number;
  readonly body: Uint8Array<ArrayBuffer>;
  /** As in `packSources`: version 1.3.0 reads the body alone. */
  readonly sources: Uint8Array<ArrayBuffer>;
}

/** Groups as they are stored: `sources` is null in a row of version 1.3.0. */
export interface StoredGroups {
  readonly body: ArrayBuffer;
  readonly sources: ArrayBuffer | null;
}

function packRest({ hour, fact, lastAt, marks }: Group): Uint8Array {
  if (hour > MAX_HOUR) throw new RangeError(`the hour ${hour} is not in a year that there is`);
  const bytes = new ByteWriter(32 + marks.length);
  bytes.number(hour);
  bytes.number(fact[KIND]!);
  for (let place = FIRST_WORD; place < FIRST_OF_SOURCE; place++) bytes.number(fact[place]!);
  bytes.number(fact[CLICKS]!);
  bytes.number(Math.max(0, lastAt - hour * HOUR_MS));
  bytes.bytes(marks);
  return bytes.take();
}

/** Which groups a reader wants: those of these links or campaigns, or all. */
type Wanted = { readonly [Of in 'link' | 'campaign']?: ReadonlySet<number> } | 'all';

export function* unpackGroups({ body, sources }: StoredGroups, wanted: Wanted): Generator<Group> {
  const bytes = new ByteReader(body);
  const reader = openSources(sources);
  while (!bytes.isAtEnd) {
    const [link, campaign, length] = [bytes.number(), bytes.number(), bytes.number()];
    const source = reader?.next() ?? PLAIN_SOURCE;
    if (wanted === 'all' || wanted.link?.has(link) || wanted.campaign?.has(campaign))
      yield { link, campaign, ...unpackRest(bytes, length, source) };
    else bytes.skip(length);
  }
}

// Null if no group names a source, as in most rows: their bytes are the format alone.
const openSources = (sources: ArrayBuffer | null): SourceReader | null => {
  const bytes = sources && new Uint8Array(sources);
  if (bytes?.length === 1 && bytes[0] === SOURCES_FORMAT) return null;
  return new SourceReader(sources === null ? null : new ByteReader(sources));
};

/** Whose group it is, at which byte it begins, and what brought its visitors. */
export interface FoundGroup {
  readonly link: number;
  readonly campaign: number;
  readonly at: number;
  readonly source: SourceNumbers;
}

export function* findGroups({ body, sources }: StoredGroups): Generator<FoundGroup> {
  const bytes = new ByteReader(body);
  const reader = openSources(sources);
  while (!bytes.isAtEnd) {
    const at = bytes.at;
    const [link, campaign, length] = [bytes.number(), bytes.number(), bytes.number()];
    yield { link, campaign, at, source: reader?.next() ?? PLAIN_SOURCE };
    bytes.skip(length);
  }
}

/** The group that was found at a byte. */
export function readGroup(body: ArrayBuffer, at: number, source: SourceNumbers): Group {
  const bytes = new ByteReader(body);
  bytes.skip(at);
  const [link, campaign, length] = [bytes.number(), bytes.number(), bytes.number()];
  return { link, campaign, ...unpackRest(bytes, length, source) };
}

function unpackRest(bytes: ByteReader, length: number, source: SourceNumbers): Omit<Group, 'link' | 'campaign'> {
  const end = bytes.at + length;
  const hour = bytes.number();
  const fact: Fact = [];
  fact[HOUR] = hour % 24;
  fact[KIND] = bytes.number();
  for (let place = FIRST_WORD; place < FIRST_OF_SOURCE; place++) fact.push(bytes.number());
  fact.push(...source, bytes.number());
  const lastAt = hour * HOUR_MS + bytes.number();
  return { hour, fact, lastAt, marks: bytes.bytes(end - bytes.at) };
}

/** The marks of a delivered group; those of programs are not kept. */
export function marksOf([, , , , , marks]: DeliveredGroup, kind: Kind): Uint8Array {
  return kind === 'human' && marks !== '' ? Buffer.from(marks, 'base64url') : NO_MARKS;
}

const NO_MARKS = new Uint8Array(0);

interface Row extends Record<string, SqlStorageValue> {
  readonly id: number;
  readonly groups: number;
  readonly body: ArrayBuffer;
  readonly sources: ArrayBuffer | null;
}

/** The stored deliveries after one, in order, whole or up to another. */
export function readDeliveries(sql: SqlStorage, after: number, through = Number.MAX_SAFE_INTEGER): Iterable<Row> {
  return sql.exec<Row>(
    'SELECT id, groups, body, sources FROM deliveries WHERE id > ?1 AND id <= ?2 ORDER BY id',
    after,
    through,
  );
}

// The delivery after which the clicks of the subject ?1 are not folded yet.
const FOLDED_THROUGH = `coalesce((
  SELECT value FROM state
  WHERE name = 'fold_delivery' AND ?1 <= (SELECT value FROM state WHERE name = 'fold_subject')), 0)`;

/** After which delivery the clicks of a subject are not folded yet. */
export function foldedThrough(sql: SqlStorage, subject: number): number {
  return sql.exec<{ id: number }>(`SELECT ${FOLDED_THROUGH} AS id`, subject).one().id;
}

/** The groups of the stored deliveries whose clicks are not folded yet for a subject, in order. */
export function readUnfolded(sql: SqlStorage, subject: number): Iterable<StoredGroups> {
  return sql.exec<StoredGroups & Record<string, SqlStorageValue>>(
    `SELECT body, sources FROM deliveries WHERE id > ${FOLDED_THROUGH} ORDER BY id`,
    subject,
  );
}

/** Counts the rows and groups that are not folded yet; `at` is when the first was stored, in milliseconds. */
export function countUnfolded(sql: SqlStorage) {
  return sql
    .exec<{ rows: number; groups: number; at: number | null }>(
      'SELECT count(*) AS rows, coalesce(sum(groups), 0) AS groups, min(at) AS at FROM deliveries',
    )
    .one();
}

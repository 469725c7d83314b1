import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../time/day.ts';
import type { DeliveredPack } from './delivery.ts';
import { rowsSince, type LastHour } from './last-hour.ts';
import { unpackMarks, type PackMark } from './pack-marks.ts';

/**
 * Which packs were stored, so that a pack that is delivered twice counts once. A pack is kept as 64 bits of a hash of
 * its id, by the hour in which it was packed: with a million packs an hour, two are taken for one once in some thousand
 * years.
 */

const MARK_BYTES = 8;
const NO_PACKS = new ArrayBuffer(0);
// A row stays far below the 2 MB that a row may have.
const CHUNK_BYTES = 64_000 * MARK_BYTES;

// A pack is stored after it was packed, unless the clock of its isolate is ahead.
const CLOCKS_DIFFER_MS = 50 * 60_000;

/** A pack that is delivered. */
interface DeliveredMark extends PackMark {
  /** Milliseconds since the epoch. */
  readonly packedAt: number;
}

export function markOf([id, at]: DeliveredPack): DeliveredMark {
  const mark = createHash('sha256').update(id).digest().readBigUInt64LE();
  return { hour: Math.floor(at / HOUR_MS), mark, packedAt: at };
}

/** The known packs of an hour: all folded ones, and those of the deliveries since a time. */
interface OfHour {
  readonly marks: Set<bigint>;
  readonly since: number;
}

/**
 * The packs of the hours that are being delivered. Of the deliveries that are not folded, it reads those since a pack was
 * packed: of a pack that comes at once those of the last hour, and more only for one that comes late.
 */
export class SeenPacks {
  readonly #sql: SqlStorage;
  readonly #byHour = new Map<number, OfHour>();
  /** The deliveries that the object has read as it woke, until it stores something. */
  #lastHour: LastHour | null;

  constructor(sql: SqlStorage, lastHour: LastHour | null = null) {
    this.#sql = sql;
    this.#lastHour = lastHour;
  }

  has(pack: DeliveredMark): boolean {
    return this.#ofHour(pack).has(pack.mark);
  }

  /** Remembers a pack that is stored in the same transaction. */
  add(pack: DeliveredMark): void {
    this.#ofHour(pack).add(pack.mark);
  }

  /**
   * Keeps the newest hour and the last one that was read, since an object has 128 MB; older hours are delivered again only
   * after an outage. It is called after a delivery is stored: before, its packs are known here alone.
   */
  trim(): void {
    this.#lastHour = null;
    const hours = [...this.#byHour.keys()].toSorted((a, b) => a - b);
    const last = [...this.#byHour.keys()].at(-1);
    for (const hour of hours.slice(0, -1)) if (hour !== last) this.#byHour.delete(hour);
  }

  /** Forgets what is only in memory, as after a transaction that failed. */
  reset(): void {
    this.#byHour.clear();
    this.#lastHour = null;
  }

  #ofHour({ hour, packedAt }: DeliveredMark): Set<bigint> {
    const needed = packedAt - CLOCKS_DIFFER_MS;
    const known = this.#byHour.get(hour);
    if (known !== undefined && known.since <= needed) return known.marks;
    // What this delivery has added is not stored yet.
    const marks = new Set(known?.marks);
    for (const { packs } of this.#sql.exec<{ packs: ArrayBuffer }>(
      'SELECT packs FROM seen_packs WHERE hour = ?1',
      hour,
    )) {
      for (const mark of new BigUint64Array(packs)) marks.add(mark);
    }
    const { since, marks: stored } = this.#deliveredSince(needed);
    for (const each of stored) if (each.hour === hour) marks.add(each.mark);
    this.#byHour.set(hour, { marks, since });
    return marks;
  }

  #deliveredSince(needed: number): { readonly since: number; readonly marks: Iterable<PackMark> } {
    if (this.#lastHour !== null && this.#lastHour.since <= needed) return this.#lastHour;
    // Some minutes more, for packs that come a little later.
    const since = needed - (HOUR_MS - CLOCKS_DIFFER_MS);
    return { since, marks: [...rowsSince(this.#sql, since)].flatMap(({ packs }) => unpackMarks(packs)) };
  }
}

/** Keeps the packs of folded deliveries, which are deleted after this. */
export function keepSeen(sql: SqlStorage, throughDelivery: number): void {
  const byHour = new Map<number, bigint[]>();
  for (const { packs } of sql.exec<{ packs: ArrayBuffer }>(
    'SELECT packs FROM deliveries WHERE id <= ?1',
    throughDelivery,
  )) {
    for (const { hour, mark } of unpackMarks(packs)) {
      const marks = byHour.get(hour);
      if (marks) marks.push(mark);
      else byHour.set(hour, [mark]);
    }
  }
  for (const [hour, marks] of byHour) appendMarks(sql, hour, BigUint64Array.from(marks));
}

function appendMarks(sql: SqlStorage, hour: number, marks: BigUint64Array): void {
  const [last] = sql.exec<{ chunk: number; packs: ArrayBuffer }>(
    'SELECT chunk, packs FROM seen_packs WHERE hour = ?1 ORDER BY chunk DESC LIMIT 1',
    hour,
  );
  const hasPlace = last !== undefined && last.packs.byteLength < CHUNK_BYTES;
  const before = new BigUint64Array(hasPlace ? last.packs : NO_PACKS);
  const all = new BigUint64Array(before.length + marks.length);
  all.set(before);
  all.set(marks, before.length);
  let chunk = hasPlace ? last.chunk : (last?.chunk ?? -1) + 1;
  const perChunk = CHUNK_BYTES / MARK_BYTES;
  for (let from = 0; from < all.length; from += perChunk) {
    sql.exec(
      'INSERT INTO seen_packs (hour, chunk, packs) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET packs = excluded.packs',
      hour,
      chunk++,
      all.slice(from, from + perChunk).buffer,
    );
  }
}

/** Forgets the packs of the hours before one; the consumer counts no pack that is as old. */
export function deleteSeenBefore(sql: SqlStorage, hour: number): void {
  sql.exec('DELETE FROM seen_packs WHERE hour < ?1', hour);
}

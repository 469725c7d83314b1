import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../time/day.ts';
import type { DeliveredPack } from './delivery.ts';

/**
 * Which packs were stored, so that a pack that is delivered twice counts once. A pack is kept as 64 bits of a hash of
 * its id, by the hour in which it was packed: with a million packs an hour, two are taken for one once in some thousand
 * years.
 */

const MARK_BYTES = 8;
const NO_PACKS = new ArrayBuffer(0);
// A row stays far below the 2 MB that a row may have.
const CHUNK_BYTES = 64_000 * MARK_BYTES;

/** How a pack is recognised. */
export interface PackMark {
  /** Since the epoch. */
  readonly hour: number;
  readonly mark: bigint;
}

export function markOf([id, at]: DeliveredPack): PackMark {
  return { hour: Math.floor(at / HOUR_MS), mark: createHash('sha256').update(id).digest().readBigUInt64LE() };
}

/** The packs of the hours that are being delivered, read once an hour and object. */
export class SeenPacks {
  readonly #sql: SqlStorage;
  readonly #byHour = new Map<number, Set<bigint>>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  has({ hour, mark }: PackMark): boolean {
    return this.#ofHour(hour).has(mark);
  }

  /** Remembers a pack that is stored in the same transaction. */
  add({ hour, mark }: PackMark): void {
    this.#ofHour(hour).add(mark);
  }

  /**
   * Keeps the newest hour and the last one that was read, since an object has 128 MB; older hours are delivered again only
   * after an outage. It is called after a delivery is stored: before, its packs are known here alone.
   */
  trim(): void {
    const hours = [...this.#byHour.keys()].toSorted((a, b) => a - b);
    const last = [...this.#byHour.keys()].at(-1);
    for (const hour of hours.slice(0, -1)) if (hour !== last) this.#byHour.delete(hour);
  }

  /** Forgets what is only in memory, as after a transaction that failed. */
  reset(): void {
    this.#byHour.clear();
  }

  #ofHour(hour: number): Set<bigint> {
    const known = this.#byHour.get(hour);
    if (known !== undefined) return known;
    const marks = new Set<bigint>();
    for (const { packs } of this.#sql.exec<{ packs: ArrayBuffer }>(
      'SELECT packs FROM seen_packs WHERE hour = ?1',
      hour,
    )) {
      for (const mark of new BigUint64Array(packs)) marks.add(mark);
    }
    for (const { packs } of this.#sql.exec<{ packs: ArrayBuffer }>('SELECT packs FROM deliveries')) {
      for (const each of unpackMarks(packs)) if (each.hour === hour) marks.add(each.mark);
    }
    this.#byHour.set(hour, marks);
    return marks;
  }
}

/** The marks of a delivery's packs, as it is stored. */
export function packMarks(marks: readonly PackMark[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigUint64Array.from(marks.flatMap(({ hour, mark }) => [BigInt(hour), mark])).buffer);
}

function unpackMarks(packed: ArrayBuffer): PackMark[] {
  const numbers = new BigUint64Array(packed);
  return Array.from({ length: numbers.length / 2 }, (_, index) => ({
    hour: Number(numbers[2 * index]),
    mark: numbers[2 * index + 1]!,
  }));
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

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '../bytes.ts';
import { sumsOf, withUnknownSources, type Day } from './day.ts';
import { KINDS, SOURCE_DIMENSIONS } from '../facts.ts';
import { countIn, EVERY_SUM, SUMMED, type Summed, type Sums } from './sums.ts';

/**
 * The sums of old days, many in one row: for each value, its clicks of each day and kind. A value is written once, and most
 * days take one byte, since most have one click of a value. Compressed, a row takes two thirds of that (RFC 1951). Version
 * 1.3.0 writes no sums of sources, which are the last ones, and does not read them.
 */

const FORMAT = 1;

/** The number of days in a block. */
export const BLOCK_DAYS = 32;

/** The block of a day, both counted since the epoch. */
export const blockOf = (day: number): number => Math.floor(day / BLOCK_DAYS);

/** The days of a block, by their place in it, from 0. */
type Block = ReadonlyMap<number, Day>;

// Of a byte: the kind, five bits for the day, and whether a number of clicks follows, which is 1 otherwise.
const KIND_FACTOR = 64;
const DAY_FACTOR = 2;

export function packBlock(block: Block): Uint8Array<ArrayBuffer> {
  const bytes = new ByteWriter();
  bytes.number(FORMAT);
  for (const by of SUMMED) {
    const values = transpose(block, by);
    bytes.number(values.size);
    for (const [value, entries] of values) {
      bytes.number(value);
      bytes.number(entries.length);
      for (const { day, kind, clicks } of entries) {
        const isOne = clicks === 1;
        bytes.byte(kind * KIND_FACTOR + day * DAY_FACTOR + (isOne ? 0 : 1));
        if (!isOne) bytes.number(clicks);
      }
    }
  }
  return new Uint8Array(deflateRawSync(bytes.take()));
}

/** Unpacks a block of days, which have only sums. */
export function unpackBlock(packed: ArrayBuffer): Block {
  return readBlock(packed, EVERY_SUM).block;
}

/**
 * The days of a block with some of their sums, and how many bytes it takes to read all of them.
 *
 * @param wanted the sums that are needed: those by hour, which each day has, are among them
 */
export function readBlock(packed: ArrayBuffer, wanted: ReadonlySet<Summed>): { block: Block; size: number } {
  const unpacked = inflateRawSync(packed);
  const bytes = new ByteReader(unpacked);
  if (bytes.number() !== FORMAT) throw new Error('a block of statistics has a format that is not known');
  const days = new Map<number, Map<Summed, Sums>>();
  for (const by of SUMMED) {
    const isWanted = wanted.has(by);
    if (by === SOURCE_DIMENSIONS[0] && bytes.isAtEnd) break;
    for (let values = bytes.number(); values > 0; values--) {
      const value = bytes.number();
      for (let entries = bytes.number(); entries > 0; entries--) {
        const head = bytes.byte();
        const clicks = head % DAY_FACTOR === 0 ? 1 : bytes.number();
        if (!isWanted) continue;
        const sums = sumsIn(days, Math.floor(head / DAY_FACTOR) % BLOCK_DAYS, by, wanted);
        countIn(sums, value, Math.floor(head / KIND_FACTOR), clicks);
      }
    }
  }
  const opened = (sums: Day['sums']): Day => withUnknownSources({ facts: [], hasHours: false, sums }, wanted);
  return { block: new Map([...days].map(([day, sums]) => [day, opened(sums)])), size: unpacked.length };
}

interface Entry {
  readonly day: number;
  readonly kind: number;
  readonly clicks: number;
}

function transpose(block: Block, by: Summed): Map<number, Entry[]> {
  const values = new Map<number, Entry[]>();
  for (const [day, each] of block) {
    for (const [value, counts] of sumsOf(each, by)) {
      let entries = values.get(value);
      if (entries === undefined) values.set(value, (entries = []));
      for (const kind of KINDS.keys()) {
        const clicks = counts[kind as 0];
        if (clicks > 0) entries.push({ day, kind, clicks });
      }
    }
  }
  return values;
}

// All that are wanted, also those without a value, so that a day has the same sums as before.
function sumsIn(days: Map<number, Map<Summed, Sums>>, day: number, by: Summed, wanted: ReadonlySet<Summed>): Sums {
  let ofDay = days.get(day);
  if (ofDay === undefined) {
    const sums = SUMMED.filter((each) => wanted.has(each)).map((each) => [each, new Map()] as const);
    days.set(day, (ofDay = new Map(sums)));
  }
  return ofDay.get(by)!;
}

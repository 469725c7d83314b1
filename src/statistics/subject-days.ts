import { addToDay, joinDays, type Day } from './day.ts';
import { readDeliveries, unpackGroups, type Wanted } from './deliveries.ts';
import { foldedThrough, maxFactsOf } from './fold.ts';
import { Gathered } from './gathered.ts';
import { BLOCK_DAYS, blockId, blockOf, blockOfId, unpackBlock } from './stored-block.ts';
import { unpackDay } from './stored-day.ts';
import { CLIENT } from './subjects.ts';

/** Days from the first to the last, both included, in days since the epoch. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A day of a subject, which is only read when it is opened. */
export interface StoredDay {
  readonly day: number;
  readonly open: () => Day;
}

/** The clicks of a subject that are not folded yet. */
export function gatherFresh(sql: SqlStorage, number: number): Gathered {
  const isWanted: Wanted = number === CLIENT ? () => true : (link, campaign) => link === number || campaign === number;
  const gathered = new Gathered();
  for (const { body } of readDeliveries(sql, foldedThrough(sql, number))) {
    for (const group of unpackGroups(body, isWanted)) gathered.add(number, group);
  }
  return gathered;
}

/**
 * The days of a subject that have clicks, in order. All is read at once, since a fold may come before they are opened.
 *
 * @param fresh the clicks that are not folded yet
 */
export function readDays(sql: SqlStorage, number: number, { from, to }: Range, fresh: Gathered): StoredDay[] {
  const added = new Map([...fresh.days].filter(([day]) => day >= from && day <= to));
  const rows = sql.exec<{ day: number; clicks: ArrayBuffer }>(
    'SELECT day, clicks FROM days WHERE subject = ?1 AND day BETWEEN ?2 AND ?3',
    number,
    from,
    to,
  );
  const folded = new Map([...rows].map(({ day, clicks }) => [day, clicks]));
  const old = readBlocks(sql, number, from, to);
  const days = [...new Set([...old.keys(), ...folded.keys(), ...added.keys()])].toSorted((a, b) => a - b);
  return days.map((day) => ({
    day,
    open: () => {
      const before = joinDays(old.get(day), unpackDay(folded.get(day) ?? null));
      const clicks = added.get(day);
      if (clicks === undefined) return before;
      return addToDay(before, { facts: clicks.facts.list(), links: clicks.links }, maxFactsOf(number));
    },
  }));
}

/** Days of which only sums are kept. */
function readBlocks(sql: SqlStorage, number: number, from: number, to: number): Map<number, Day> {
  const rows = sql.exec<{ id: number; clicks: ArrayBuffer }>(
    'SELECT id, clicks FROM blocks WHERE id BETWEEN ?1 AND ?2',
    blockId(number, blockOf(Math.max(0, from))),
    blockId(number, blockOf(Math.max(0, to))),
  );
  const days = [...rows].flatMap(({ id, clicks }) =>
    [...unpackBlock(clicks)].map(([place, day]) => [blockOfId(id) * BLOCK_DAYS + place, day] as const),
  );
  return new Map(days.filter(([day]) => day >= from && day <= to));
}

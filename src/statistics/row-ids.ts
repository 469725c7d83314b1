import { BLOCK_DAYS } from './days/stored-block.ts';

/**
 * The ids of rows that have a subject and a time: `subject * places + place`. With a key of two columns, SQLite would put
 * most of a row of a kilobyte or more into a page of its own.
 */

/** Rows of one kind, by how many times a subject can have. */
interface RowIds {
  readonly of: (subject: number, place: number) => number;
  readonly placeOf: (id: number) => number;
  /** The ids between which rows of a subject are, from one day to another, both included; all of them without days. */
  readonly between: (subject: number, fromDay?: number, toDay?: number) => [first: number, last: number];
}

/** @param days how many days a row has, which it begins with a multiple of */
function idsOf(places: number, days = 1): RowIds {
  const of = (subject: number, place: number): number => subject * places + Math.min(Math.max(place, 0), places - 1);
  return {
    of,
    placeOf: (id) => id % places,
    between: (subject, fromDay = 0, toDay = places * days) => [
      of(subject, Math.floor(fromDay / days)),
      of(subject, Math.floor(toDay / days)),
    ],
  };
}

// More days, and more blocks of 32 days, than a Date can name; there is room for 67 million subjects.
export const DAY_IDS = idsOf(2 ** 27);
export const BLOCK_IDS = idsOf(2 ** 22, BLOCK_DAYS);

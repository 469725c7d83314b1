import { eastOf, instantOf } from '../formats/values.ts';
import { monthOf } from './month-names.ts';
import { isDay, isOneDay, LONGEST_DATE, ordersOf, withPlainBlanks, yearOf, type DateOrder } from './orders.ts';

/** Reads dates as spreadsheets and people write them. Without an offset they are in UTC, and without a time at 00:00. */

/** The meaning of a text: an instant in milliseconds, or one for each order in which its parts can stand. */
interface WrittenDate {
  readonly at: number | ReadonlyMap<DateOrder, number>;
  /** True if it names a day without a time. */
  readonly isDay: boolean;
}

/** Reads a date; null if the text is none. */
export function writtenDate(given: string): WrittenDate | null {
  if (given.length > LONGEST_DATE) return null;
  const text = withPlainBlanks(given).trim();
  const exact = instantOf(text);
  if (exact !== null) return { at: exact, isDay: ISO_DAY.test(text) };
  return ofSpreadsheet(text) ?? yearFirst(text) ?? withMonthName(text) ?? withSeveralOrders(text);
}

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

const DAY_MS = 86_400_000;
// Day 1 is the first of January 1900, and Excel has a 29 February in that year.
const DAY_ZERO = Date.UTC(1899, 11, 30);
const SERIAL = /^[1-9]\d{4}(?:[.,]\d{1,12})?$/;

// From 1927 to 2173. Source: DATEVALUE of Excel, with the date system of 1900.
function ofSpreadsheet(text: string): WrittenDate | null {
  if (!SERIAL.test(text)) return null;
  const days = Number(text.replace(',', '.'));
  // Fractions are rounded by Excel to seconds, which it shows.
  const at = DAY_ZERO + Math.round((days * DAY_MS) / 1000) * 1000;
  return { at, isDay: Number.isInteger(days) };
}

const YEAR_FIRST = /^(\d{4})([./-]) ?(\d{1,2})\2 ?(\d{1,2})\.?(?=$|[ T,])/;

function yearFirst(text: string): WrittenDate | null {
  const found = YEAR_FIRST.exec(text);
  if (!found) return null;
  const [all, year, , month, day] = found;
  return onDay({ year: Number(year), month: Number(month), day: Number(day) }, text.slice(all.length));
}

const WEEKDAY = String.raw`(?:\p{L}{2,12}\.?,? )?`;
const WORD = String.raw`(\p{L}{3,12})\.?`;
const DAY_FIRST = new RegExp(
  String.raw`^${WEEKDAY}(\d{1,2})(?:\.|st|nd|rd|th|er|º)?[ -](?:de )?${WORD},?[ -](?:de )?(\d{4}|\d\d)(?=$|[ T,])`,
  'iu',
);
const MONTH_FIRST = new RegExp(
  String.raw`^${WEEKDAY}${WORD}[ -](\d{1,2})(?:st|nd|rd|th)?,?[ -](\d{4})(?=$|[ T,])`,
  'iu',
);
const MONTH_FIRST_LATE_YEAR = /^\p{L}{2,4} (\p{L}{3,4}) (\d{1,2}) (\d\d:\d\d:\d\d)(?: UTC| GMT)? (\d{4})$/iu;

function withMonthName(text: string): WrittenDate | null {
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return named(dayFirst[3]!, dayFirst[2]!, dayFirst[1]!, text.slice(dayFirst[0].length));
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return named(monthFirst[3]!, monthFirst[1]!, monthFirst[2]!, text.slice(monthFirst[0].length));
  const late = MONTH_FIRST_LATE_YEAR.exec(text);
  return late && named(late[4]!, late[1]!, late[2]!, ` ${late[3]}`);
}

function named(year: string, word: string, day: string, rest: string): WrittenDate | null {
  const month = monthOf(word);
  if (month === null) return null;
  return onDay({ year: year.length === 2 ? yearOf(Number(year)) : Number(year), month, day: Number(day) }, rest);
}

function withSeveralOrders(text: string): WrittenDate | null {
  const found = ordersOf(text);
  if (!found) return null;
  const time = timeIn(found.rest);
  if (time === null) return null;
  const instants = [...found.days].map(([order, day]): [DateOrder, number] => [order, startOf(day) + time.ms]);
  if (instants.length === 0) return null;
  return { at: isOneDay(found.days) ? instants[0]![1] : new Map(instants), isDay: time.isAbsent };
}

type Day = Parameters<typeof isDay>[0];

function onDay(day: Day, rest: string): WrittenDate | null {
  const time = isDay(day) ? timeIn(rest) : null;
  return time && { at: startOf(day) + time.ms, isDay: time.isAbsent };
}

function startOf({ year, month, day }: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

const TIME =
  /^(?:,? ?(?:at|à|um)? ?|T)(\d{1,2})[:.h](\d\d)(?:[:.](\d\d)(?:[.,](\d{1,9}))?)?(?: ?([ap])\.?m\.?)?(?: ?(Z|UTC|GMT)?([+-]\d\d(?::?\d\d)?)?)?(?: \(.{1,40}\))?$/i;

const MINUTE_MS = 60_000;

/** The time after a day, in milliseconds from its beginning in UTC; null if the text is none. */
function timeIn(text: string): { readonly ms: number; readonly isAbsent: boolean } | null {
  if (text.trim() === '') return { ms: 0, isAbsent: true };
  const found = TIME.exec(text);
  if (!found) return null;
  const [, hours = '', minutes = '', seconds = '0', part = '', half, , offset = ''] = found;
  const hour = half === undefined ? Number(hours) : hourOf(Number(hours), half.toLowerCase());
  const east = eastOf(offset);
  if (hour === null || hour > 23 || Number(minutes) > 59 || Number(seconds) > 59 || east === null) return null;
  const ms =
    (hour * 60 + Number(minutes) - east) * MINUTE_MS + Number(seconds) * 1000 + Number(part.slice(0, 3).padEnd(3, '0'));
  return { ms, isAbsent: false };
}

function hourOf(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

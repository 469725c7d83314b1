/** Dates whose parts can stand in several orders, such as 03/04/2030. The scripts of the pages read this too. */

/** The orders of day, month and year. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The parts of a day, each as the file has it. */
interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const SEPARATED = /^(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4}|\d\d)\.?(?=$|[ T,])/;

const BEGINS_AS_DATE = /^\s*\d\d?[./-]/;

/** The longest text that is read as a date. */
export const LONGEST_DATE = 80;

/**
 * The days that such a date at the beginning of a text can mean, by their orders, and the text after it. Null if it is
 * none.
 */
export function ordersOf(text: string): { readonly days: ReadonlyMap<DateOrder, Parts>; readonly rest: string } | null {
  const plain = withPlainBlanks(text);
  const found = text.length > LONGEST_DATE ? null : SEPARATED.exec(plain);
  if (!found) return null;
  const [all, first = '', , second = '', third = ''] = found;
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  const year = third.length === 4 ? c : yearOf(c);
  const days = new Map<DateOrder, Parts>();
  const add = (order: DateOrder, parts: Parts) => {
    if (isDay(parts)) days.set(order, parts);
  };
  add('dmy', { year, month: b, day: a });
  add('mdy', { year, month: a, day: b });
  if (third.length === 2 && first.length === 2) add('ymd', { year: yearOf(a), month: b, day: c });
  return { days, rest: plain.slice(all.length) };
}

/** A text with a space for each blank at which no line breaks, as browsers write one before AM and PM. */
export const withPlainBlanks = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/**
 * The year of two digits, from 1969 to 2068, as POSIX has it:
 * https://pubs.opengroup.org/onlinepubs/9799919799/functions/strptime.html
 */
export const yearOf = (two: number): number => (two < 69 ? 2000 : 1900) + two;

/** True if there is such a day. */
export function isDay({ year, month, day }: Parts): boolean {
  const at = new Date(Date.UTC(2000, month - 1, day));
  at.setUTCFullYear(year, month - 1, day);
  return month >= 1 && month <= 12 && day >= 1 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

/** True if all orders mean the same day. */
export function isOneDay(days: ReadonlyMap<DateOrder, Parts>): boolean {
  const [first, ...others] = days.values();
  return (
    first !== undefined &&
    days.size > 1 &&
    others.every(({ year, month, day }) => year === first.year && month === first.month && day === first.day)
  );
}

/** The knowledge about a column: in which orders all of its dates can be read, and a date of it, with its row. */
export interface SeenColumn {
  readonly orders: readonly DateOrder[];
  readonly example: string;
}

/** More columns with such dates than a file of links has. */
export const MAX_SEEN_COLUMNS = 16;

const MAX_NAME = 200;

/** By the names of columns, as the file has them. Columns without such dates are absent. */
export type SeenDates = Readonly<Record<string, SeenColumn>>;

/** Collects in which orders the dates of columns can be read. */
export class DateOrders {
  readonly #columns = new Map<string, SeenColumn>();

  /** Takes a cell. Other texts than dates of several orders count for nothing. */
  add(column: string, text: string): void {
    if (!BEGINS_AS_DATE.test(text)) return;
    const days = ordersOf(text.trim())?.days;
    if (days === undefined || days.size === 0 || isOneDay(days)) return;
    const name = column.slice(0, MAX_NAME);
    if (this.#columns.size < MAX_SEEN_COLUMNS || this.#columns.has(name)) this.narrow(name, [...days.keys()], text);
  }

  /** Leaves a column only these orders. */
  narrow(column: string, orders: readonly DateOrder[], example: string): void {
    const known = this.#columns.get(column);
    if (known === undefined) this.#columns.set(column, { orders, example: example.slice(0, LONGEST_DATE) });
    else if (known.orders.some((order) => !orders.includes(order))) {
      // The example is the first date that no single order is left for, or the first of all.
      const left = known.orders.filter((order) => orders.includes(order));
      this.#columns.set(column, { orders: left, example: left.length === 0 ? example : known.example });
    }
  }

  of(column: string): SeenColumn | undefined {
    return this.#columns.get(column);
  }

  get columns(): SeenDates {
    return Object.fromEntries(this.#columns);
  }
}

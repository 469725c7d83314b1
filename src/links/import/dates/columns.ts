import { AppError } from '../../../errors.ts';
import { type Fields } from '../../../input/validation.ts';
import { quote } from '../../../text/quote.ts';
import { DATE_ORDERS, DateOrders, type DateOrder, type SeenColumn, type SeenDates } from './orders.ts';
import { writtenDate } from './written.ts';

/** A column of dates. */
export interface DateColumn {
  /** By which rows have it. */
  readonly name: string;
  /** In the file, for people. */
  readonly title: string;
  /** True if a link begins or ends with it, so that the hour counts. */
  readonly isLimit: boolean;
}

const IN_WORDS: Readonly<Record<DateOrder, string>> = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};

/** The error of a column whose dates do not say how they are to be read. */
export class UnclearDates extends AppError {
  readonly example: string;

  constructor(title: string, { orders, example }: SeenColumn) {
    const given = (orders.length === 0 ? DATE_ORDERS : orders).map((order) => `dates=${order} (${IN_WORDS[order]})`);
    const choices = `${given.slice(0, -1).join(', ')} or ${given.at(-1)}`;
    const sentence =
      orders.length === 0
        ? `The dates in the column ${quote(title)} have no common order of day, month and year, such as ${quote(example)}. Say which one counts: ${choices}. Others are then invalid.`
        : `The dates in the column ${quote(title)} can be read in several ways, such as ${quote(example)}. Say which one is right: ${choices}.`;
    super('invalid_dates', sentence, { faults: [{ field: 'dates', sentence }] });
    this.example = example;
  }
}

/**
 * Reads the dates of a file. Those that can stand in several orders are read once all rows of the file are known: a row
 * with such a date waits until `settle`. Without such rows nothing is kept.
 */
export class DateColumns {
  readonly #order: DateOrder | undefined;
  readonly #seen: SeenDates;
  readonly #orders = new DateOrders();
  #columns: readonly DateColumn[] = [];
  #isSettled = false;
  #hasDays = false;
  readonly #read = new Map<string, string>();

  /**
   * @param order what the caller says of all columns; without it each is read as its dates admit
   * @param seen what is known of the columns of the whole file of this piece
   */
  constructor(order: DateOrder | undefined, seen: SeenDates = {}) {
    this.#order = order;
    this.#seen = seen;
  }

  /** @param nameOf the name by which rows have a column of the file */
  begin(columns: readonly DateColumn[], nameOf: (column: string) => string): void {
    this.#columns = columns;
    for (const [given, { orders, example }] of Object.entries(this.#seen)) {
      const name = nameOf(given);
      // The tools that cut a file of JSON know the names within an object, without the name of the object.
      const column = columns.find((each) => each.name === name || each.name.endsWith(`.${name}`));
      if (column) this.#orders.narrow(column.name, orders, example);
    }
  }

  /** The row with its dates as instants of ISO 8601; null if it waits. What is no date stays as it is. */
  read(row: Fields, isOwn: boolean): Fields | null {
    let read: Record<string, unknown> | null = null;
    let waits = false;
    for (const column of this.#columns) {
      const value = Object.hasOwn(row, column.name) ? row[column.name] : undefined;
      // In JSON, a number of this service's own format is not a date.
      if (typeof value !== 'string' && (isOwn || typeof value !== 'number')) continue;
      const text = String(value);
      if (text === '' || IS_INSTANT.test(text)) continue;
      const at = this.#instantIn(column, text);
      if (at === 'waits') waits = true;
      else if (at !== null) (read ??= { ...row })[column.name] = new Date(at).toISOString();
    }
    return waits ? null : (read ?? row);
  }

  #instantIn(column: DateColumn, text: string): number | 'waits' | null {
    const written = writtenDate(text);
    if (written === null) return null;
    if (typeof written.at !== 'number' && this.#order === undefined && !this.#isSettled) {
      this.#orders.narrow(column.name, [...written.at.keys()], text);
      return 'waits';
    }
    if (written.isDay && column.isLimit) this.#hasDays = true;
    if (typeof written.at === 'number') return written.at;
    const order = this.#order ?? this.#orders.of(column.name)?.orders[0];
    const at = order && written.at.get(order);
    if (order === undefined || at === undefined) return null;
    if (!this.#read.has(column.title)) {
      const day = new Date(at).toISOString().slice(0, 10);
      this.#read.set(column.title, `${IN_WORDS[order]}: ${text.trim().slice(0, 40)} is ${day}`);
    }
    return at;
  }

  /** Decides how the rows that wait are read. Throws `UnclearDates`. */
  settle(): void {
    this.#isSettled = true;
    if (this.#order !== undefined) return;
    for (const { name, title } of this.#columns) {
      const seen = this.#orders.of(name);
      if (seen && seen.orders.length !== 1) throw new UnclearDates(title, seen);
    }
  }

  /** True if the order of their parts counted. */
  get hasOrders(): boolean {
    return this.#read.size > 0;
  }

  /** The readings of the dates, for people. */
  get notes(): readonly string[] {
    return [
      ...[...this.#read].map(([title, how]) => `The dates in ${quote(title)} are read as ${how}.`),
      ...(this.#hasDays ? ['A date without a time is 00:00 UTC, the beginning of that day.'] : []),
    ];
  }
}

const IS_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

import type { UnclearDates } from '../../../links/import/dates/columns.ts';
import { ordersOf, type DateOrder } from '../../../links/import/dates/orders.ts';
import { readSample } from '../../../links/import/file-sample.ts';
import type { Carried } from './import-form.ts';

/** A question to a person about a file that does not say it itself. */

export interface CharsetQuestion {
  readonly asked: 'charset';
  /** The encoding that it may have. */
  readonly guess: string;
  /** Rows as they would be read; null if they cannot be. */
  readonly rows: readonly string[] | null;
}

export interface DatesQuestion {
  readonly asked: 'dates';
  readonly sentence: string;
  readonly example: string;
  /** The days that the example means, by the order, as `2030-04-03`. */
  readonly days: readonly (readonly [DateOrder, string])[];
}

export type Question = CharsetQuestion | DatesQuestion;

/**
 * @param guess the encoding that the file may have
 * @param charset the one in which its bytes are; absent if a script has converted them
 */
export async function askCharset(
  { bytes, kind }: Carried,
  guess: string,
  charset: string | undefined,
): Promise<CharsetQuestion> {
  const rows = await readSample([bytes], kind, charset).catch(() => null);
  return { asked: 'charset', guess, rows };
}

export function askDates({ message, example }: UnclearDates): DatesQuestion {
  const days = [...(ordersOf(example)?.days ?? [])].map(([order, { year, month, day }]) => {
    return [order, `${year}-${two(month)}-${two(day)}`] as const;
  });
  return { asked: 'dates', sentence: message, example, days };
}

const two = (part: number): string => String(part).padStart(2, '0');

import * as z from 'zod';
import { lazy } from '../../../isolate/lazy.ts';
import { DATE_ORDERS, LONGEST_DATE, MAX_SEEN_COLUMNS } from './orders.ts';

/** The knowledge about the dates of a whole file, from the tools that send the file in pieces. */
export const seenDates = lazy(() =>
  z
    .record(
      z.string().max(200),
      z.strictObject({
        orders: z.array(z.enum(DATE_ORDERS)).max(DATE_ORDERS.length),
        example: z.string().max(LONGEST_DATE),
      }),
    )
    .refine((columns) => Object.keys(columns).length <= MAX_SEEN_COLUMNS, 'has too many columns'),
);

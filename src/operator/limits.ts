import * as z from 'zod';
import { forEachConcurrently } from '../bounds/concurrency-limit.ts';
import { lazy } from '../isolate/lazy.ts';
import { command, type OperatorCommand } from './command.ts';
import { MAX_AT_ONCE, type LimitObjects } from './objects.ts';

/** The counts of limited links in a backup: the visitors that each has redirected. The limits are rows of links. */

/** The section of a backup with a row for each limited link; without `since` for one that has redirected no visitor. */
export const LIMITS = 'LinkLimit';
export const LIMIT_COLUMNS = ['link_id', 'since', 'taken'] as const;

// Each is a call to an object, and a request may make 1,000.
const LINKS = 200;

const linkId = lazy(() => z.string().min(1).max(1024));
const number = lazy(() =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number),
);

/** A row of that section. */
export const limitRow = lazy(() => z.tuple([linkId(), number().nullable(), number()]));
export type LimitRow = z.output<ReturnType<typeof limitRow>>;

export const LIMIT_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'read-limits': command(
    () => z.strictObject({ links: z.array(linkId()).max(LINKS) }),
    async ({ limits }, { links }) => {
      const rows = new Map<string, readonly (string | null)[]>();
      await forEachConcurrently(links, MAX_AT_ONCE, async (link) => {
        const count = await limits.call(link, (object) => object.count());
        rows.set(link, count === null ? [link, null, '0'] : [link, String(count.since), String(count.taken)]);
      });
      return { rows: links.map((link) => rows.get(link)) };
    },
  ),
};

/** Replaces what the objects of these links have counted. */
export function loadLimits(limits: LimitObjects, rows: readonly LimitRow[]): Promise<void> {
  return forEachConcurrently(rows, MAX_AT_ONCE, ([link, since, taken]) =>
    limits.call(link, (object) => object.load(since === null ? null : { since, taken })),
  );
}

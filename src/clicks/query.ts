import * as z from 'zod';
import { identifier } from '../accounts/users/names.ts';
import { lazy } from '../isolate/lazy.ts';
import { fault } from '../input/validation.ts';
import { pageFields } from '../input/pagination.ts';
import { addDays, dayOf, daysBetween, LAST_DAY } from '../time/day.ts';
import { isTimeZone, openClock } from '../time/time-zone.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import { FILTER_NAMES, filterFields, toFilters } from './filter-fields.ts';

/** The query of click statistics; one schema checks requests and documents them. */

const MAX_DAYS = 400;
const DEFAULT_DAYS = 30;
const MAX_ROWS = 1000;
const MAX_LINKS = 100;

const NO_DAY = 'must be a day such as 2026-11-21';
const FIRST_DAY = '2000-01-01';
const dayOr = (error: string) => z.iso.date({ error }).refine((text) => text >= FIRST_DAY, { error });
const day = lazy(() => dayOr(NO_DAY));
const NO_COMPARISON = 'must be previous, or a first day such as 2026-11-21';

const UTC_NAMES = /^(etc\/)?(utc|uct|universal|zulu)$/i;

/** By what clicks are broken down: by time, or by what is known of them. */
const IN_TIME = ['day', 'hour', 'weekday'] as const;
const BREAKDOWNS = [
  ...IN_TIME,
  'country',
  'referrer',
  'browser',
  'os',
  'device',
  'language',
  'link',
  'campaign',
  'destination',
  'via',
  'utm_medium',
  'utm_campaign',
] as const;
type Breakdown = (typeof BREAKDOWNS)[number];

/** The breakdowns by time. */
export const TIMES: ReadonlySet<Breakdown> = new Set(IN_TIME);

/** Names as a list in a sentence. */
const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

export const statsFields = lazy(() =>
  z
    .strictObject({
      from: day().optional().meta({ description: 'First day; 29 days before `to` if left out' }),
      to: day().optional().meta({ description: 'Last day, itself included; today if left out' }),
      by: z
        .enum(BREAKDOWNS, { error: `must be ${listed(BREAKDOWNS)}` })
        .default('day')
        .meta({ description: 'The dimension to break clicks down by' }),
      tz: z
        .string()
        .refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Vienna' })
        .transform((name) => (UTC_NAMES.test(name) ? 'UTC' : name))
        .default('UTC')
        .meta({
          description:
            'The IANA time zone of days, hours and weekdays; UTC if left out. Other breakdowns always use UTC days',
        }),
      compare: z
        .union([z.literal('previous'), dayOr(NO_COMPARISON)], { error: NO_COMPARISON })
        .optional()
        .meta({
          description: 'Also answers for as many days before `from` (`previous`), or from this day on',
          brief: '`previous`, or another first day (YYYY-MM-DD)',
        }),
      limit: z
        .string()
        .refine((text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= MAX_ROWS, {
          error: `must be a whole number from 1 to ${MAX_ROWS}`,
        })
        .transform(Number)
        .optional()
        .meta({
          description: 'The maximum number of rows; all if left out',
          type: 'integer',
          minimum: 1,
          maximum: MAX_ROWS,
        }),
      cursor: pageFields().cursor,
      ...filterFields(),
      link: z
        .array(z.string())
        .refine((ids) => ids.length <= MAX_LINKS, { error: `must be given at most ${MAX_LINKS} times` })
        .optional()
        .meta({ description: 'Only clicks of the link with this id. Can be repeated; not for one link' }),
      tag: z
        .string()
        .optional()
        .meta({ description: 'Only clicks of the links that have this tag now (case-insensitive); not for one link' }),
      campaign_name: z.string().optional().meta({ description: 'One campaign; for the statistics of a client only' }),
      client_id: identifier()
        .optional()
        .meta({ description: 'The client; required if the user belongs to several; neither `.` nor `..`' }),
    })
    .transform(({ from, to, tz: zone, ...rest }) => {
      const tz = TIMES.has(rest.by) ? zone : 'UTC';
      const last = to ?? (tz === 'UTC' ? dayOf(Date.now()) : openClock(tz)(Date.now()).day);
      return { ...rest, tz, to: last, from: from ?? addDays(last, 1 - DEFAULT_DAYS) };
    })
    .refine(({ from, to }) => from <= to, { path: ['from'], error: 'must not be after `to`' })
    .refine(({ from, to }) => daysBetween(from, to) < MAX_DAYS, {
      path: ['from'],
      error: `must be at most ${MAX_DAYS} days before the end, both days counted`,
      ...fault('invalid_from'),
    })
    .refine(
      ({ from, to, compare }) =>
        compare === undefined || compare === 'previous' || daysBetween(from, to) <= daysBetween(compare, LAST_DAY),
      { path: ['compare'], error: `must be early enough that as many days follow until ${LAST_DAY}` },
    ),
);

/** A query about a subject's clicks. The path, `campaign_name`, `link` or `tag` names the subject. */
export type StatsQuery = Omit<z.output<ReturnType<typeof statsFields>>, 'campaign_name' | 'link' | 'tag'>;

/** The filters that a query gives. */
export function filtersOf(query: StatsQuery): Filters {
  const given = FILTER_NAMES.filter((name) => query[name] !== undefined);
  return given.length === 0 ? {} : toFilters(Object.fromEntries(given.map((name) => [name, query[name]])));
}

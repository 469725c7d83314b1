import * as z from 'zod';
import { identifier } from '../accounts/names.ts';
import { fault } from '../validation.ts';
import { addDays, daysBetween } from '../time/day.ts';
import { isTimeZone, openClock } from '../time/time-zone.ts';

/** The query of click statistics; one schema checks requests and documents them. */

const MAX_DAYS = 400;
const DEFAULT_DAYS = 30;

const NO_DAY = 'must be a day such as 2026-11-21';
const FIRST_DAY = '2000-01-01';
const day = z.iso.date({ error: NO_DAY }).refine((text) => text >= FIRST_DAY, { error: NO_DAY });

const UTC_NAMES = /^(etc\/)?(utc|uct|universal|zulu)$/i;

export const statsFields = z
  .strictObject({
    from: day.optional().meta({ description: 'First day; 29 days before `to` if left out' }),
    to: day.optional().meta({ description: 'Last day, itself included; today if left out' }),
    by: z
      .enum(['day', 'hour', 'country', 'referrer', 'browser', 'os', 'device', 'language'], {
        error: 'must be day, hour, country, referrer, browser, os, device or language',
      })
      .default('day')
      .meta({ description: 'The dimension to break clicks down by' }),
    tz: z
      .string()
      .refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Vienna' })
      .transform((name) => (UTC_NAMES.test(name) ? 'UTC' : name))
      .default('UTC')
      .meta({
        description: 'The IANA time zone of days and hours; UTC if left out. Other breakdowns always use UTC days',
      }),
    campaign_name: z.string().optional().meta({ description: 'One campaign of the client; for /v1/stats only' }),
    client_id: identifier
      .optional()
      .meta({ description: 'The client; required if the user belongs to several; neither `.` nor `..`' }),
  })
  .transform(({ from, to, tz: zone, ...rest }) => {
    const tz = rest.by === 'day' || rest.by === 'hour' ? zone : 'UTC';
    const last = to ?? openClock(tz)(Date.now()).day;
    return { ...rest, tz, to: last, from: from ?? addDays(last, 1 - DEFAULT_DAYS) };
  })
  .refine(({ from, to }) => from <= to, { path: ['from'], error: 'must not be after `to`' })
  .refine(({ from, to }) => daysBetween(from, to) < MAX_DAYS, {
    path: ['from'],
    error: `must be at most ${MAX_DAYS} days before the end, both days counted`,
    ...fault('invalid_from'),
  });

/** A query about a subject's clicks. The path or `campaign_name` names the subject. */
export type StatsQuery = Omit<z.output<typeof statsFields>, 'campaign_name'>;

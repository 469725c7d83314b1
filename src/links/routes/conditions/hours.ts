import * as z from 'zod';
import { TextMemo } from '../../../text/text-memo.ts';
import { isTimeZone } from '../../../time/time-zone.ts';
import { minuteOfWeek, MINUTES_OF_DAY, MINUTES_OF_WEEK } from '../../../time/minute-of-week.ts';
import { listOf } from '../list.ts';
import { conditionType, not, typeName } from './condition-type.ts';
import { anyOf } from './values.ts';

const NAMES = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const;

type Day = keyof typeof NAMES;

const DAYS = Object.keys(NAMES) as readonly Day[];
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
// The longest name of a zone has 32 characters.
const MAX_ZONE = 64;

// There are 600. To ask the platform for one takes a tenth of a millisecond, and a batch may have thousands of conditions.
const zones = new TextMemo(isTimeZone, { mostEntries: 1000, mostBytes: 512 * 1024 });

const time = (what: string) =>
  z
    .string()
    .regex(TIME, 'must be a time from 00:00 to 23:59')
    .meta({ description: what, example: '09:00', brief: 'a time such as 09:00' });

export const hours = conditionType({
  label: 'Hours',
  schema: () =>
    z
      .strictObject({
        type: typeName('hours'),
        days: listOf(z.enum(DAYS, { error: `must be one of ${DAYS.join(', ')}` }), {
          most: DAYS.length,
          things: 'days',
        })
          .overwrite((days) => DAYS.filter((day) => days.includes(day)))
          .meta({ description: 'The days on which the hours begin; left out for every day' })
          .optional(),
        from: time('When the hours begin, on the clocks of the zone'),
        until: time('When they end; if it is before `from`, it is on the next day'),
        tz: z
          .string()
          .refine((name) => name.length <= MAX_ZONE && zones.of(name.toLowerCase()), {
            error: 'must be an IANA time zone such as Europe/Berlin',
          })
          .meta({ description: 'The IANA time zone', maxLength: MAX_ZONE, example: 'Europe/Berlin' }),
        not: not(),
      })
      .refine(({ from, until }) => from !== until, { error: 'must not be the same as from', path: ['until'] }),
  fits: ({ days = DAYS, from, until, tz }) => {
    const [begin, end] = [minutesOf(from), minutesOf(until)];
    const length = (end - begin + MINUTES_OF_DAY) % MINUTES_OF_DAY;
    const begins = days.map((day) => DAYS.indexOf(day) * MINUTES_OF_DAY + begin);
    const isWithin = (minute: number) =>
      begins.some((begin) => (minute - begin + MINUTES_OF_WEEK) % MINUTES_OF_WEEK < length);
    const zone = tz.toLowerCase();
    // A zone that the platform does not know fails here, where an entry of KV is checked, and not at a visit.
    minuteOfWeek(Date.now(), zone);
    // Many visits come in one minute.
    let [asked, answer] = [Number.NaN, false];
    return ({ at }) => {
      const minute = Math.floor(at / 60_000);
      if (minute !== asked) [asked, answer] = [minute, isWithin(minuteOfWeek(at, zone))];
      return answer;
    };
  },
  explain: ({ days, from, until, tz, not }) => {
    const on = days === undefined ? '' : ` on ${anyOf(days.map((day) => NAMES[day]))}`;
    return `the time is${not ? ' not' : ''} from ${from} until ${until}${on} (${tz})`;
  },
});

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return 60 * hours + minutes;
}

import { minuteOfWeek, MINUTES_OF_DAY, MINUTES_OF_WEEK } from '../../../time/minute-of-week.ts';
import { conditionType, type AnyCondition } from './condition-type.ts';
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

export const DAYS = Object.keys(NAMES) as readonly Day[];
/** A condition on the clocks of a time zone. Hours whose end is before their start end on the next day. */
interface HoursCondition extends AnyCondition {
  readonly type: 'hours';
  /** The days on which the hours begin; absent for all. */
  readonly days?: readonly Day[] | undefined;
  /** Such as 09:00. */
  readonly from: string;
  readonly until: string;
  /** An IANA time zone. */
  readonly tz: string;
}

export const hours = conditionType<HoursCondition>({
  label: 'Hours',
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
    let [asked, response] = [Number.NaN, false];
    return ({ at }) => {
      const minute = Math.floor(at / 60_000);
      if (minute !== asked) [asked, response] = [minute, isWithin(minuteOfWeek(at, zone))];
      return response;
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

import { DAY_MS, HOUR_MS } from '../../time/day.ts';
import { useWords, type PageWords } from '../words.tsx';

/** An instant of the past, in milliseconds since the epoch, as the time since then; its title has the instant itself. */
export function RelativeTime({ at, now = Date.now(), timeZone }: { at: number; now?: number; timeZone: string }) {
  const words = useWords();
  return (
    <time datetime={new Date(at).toISOString()} title={words.instant(at, timeZone)}>
      {nameAge(words, now - at)}
    </time>
  );
}

/** The values of a text with such a time: `<ago>{age}</ago>`. */
export const agoIn = (words: PageWords, at: number, timeZone: string) => ({
  age: nameAge(words, Date.now() - at),
  ago: () => <RelativeTime at={at} timeZone={timeZone} />,
});

const MINUTE_MS = 60_000;
/** The longest age that each unit names, and the unit. A clock that is ahead counts as now. */
const UNITS = [
  [HOUR_MS, MINUTE_MS, 'minute'],
  [DAY_MS, HOUR_MS, 'hour'],
  [30 * DAY_MS, DAY_MS, 'day'],
  [365 * DAY_MS, 30.4375 * DAY_MS, 'month'],
  [Number.POSITIVE_INFINITY, 365.25 * DAY_MS, 'year'],
] as const;

/** @param age in milliseconds */
function nameAge({ ago }: PageWords, age: number): string {
  if (age < MINUTE_MS) return ago(0, 'second');
  const [, length, unit] = UNITS.find(([longest]) => age < longest)!;
  return ago(Math.max(1, Math.floor(age / length)), unit);
}

import { useWords, type PageWords } from '../words.tsx';
import { formatsWith } from '../../time/formats.ts';
import { writeUtcDay, writeUtcTime } from '../../time/utc-text.ts';

/** An instant, in milliseconds since the epoch, as the wall-clock time of the user's zone, with its name. */
export function Time({ at, timeZone }: { at: number; timeZone: string }) {
  return <time datetime={new Date(at).toISOString()}>{useWords().instant(at, timeZone)}</time>;
}

/** The values of a text with an instant: `<at>{time}</at>`. */
export const timeIn = (words: PageWords, at: number, timeZone: string) => ({
  time: words.instant(at, timeZone),
  at: () => <Time at={at} timeZone={timeZone} />,
});

/** Like `Time`, as a text. */
export function nameInstant(at: number, timeZone: string): string {
  if (timeZone === 'UTC') return `${writeUtcDay(at)}, ${writeUtcTime(at).slice(0, 5)} UTC`;
  return formatOf(timeZone).format(at);
}

/** The time of day of an instant, to the second, as the wall-clock time of a zone. */
export function nameTime(at: number, timeZone: string): string {
  return timeZone === 'UTC' ? writeUtcTime(at) : timeFormatOf(timeZone).format(at);
}

const formatOf = formatsWith('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const timeFormatOf = formatsWith('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

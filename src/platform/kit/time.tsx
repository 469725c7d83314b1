import { useWords, type PageWords } from '../words.tsx';

/** An instant, in milliseconds since the epoch, as the wall-clock time of the user's zone, with its name. */
export function Time({ at, timeZone }: { at: number; timeZone: string }) {
  return <time datetime={new Date(at).toISOString()}>{useWords().instant(at, timeZone)}</time>;
}

/** The values of a text with an instant: `<at>{time}</at>`. */
export const timeIn = (words: PageWords, at: number, timeZone: string) => ({
  time: words.instant(at, timeZone),
  at: () => <Time at={at} timeZone={timeZone} />,
});

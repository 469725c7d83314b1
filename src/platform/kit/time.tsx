/** An instant, in milliseconds since the epoch, as the wall-clock time of the user's zone, with its name. */
export function Time({ at, timeZone }: { at: number; timeZone: string }) {
  return <time datetime={new Date(at).toISOString()}>{nameInstant(at, timeZone)}</time>;
}

/** Like `Time`, as a text. */
export function nameInstant(at: number, timeZone: string): string {
  return formatOf(timeZone).format(at);
}

/** The time of day of an instant, to the second, as the wall-clock time of a zone. */
export function nameTime(at: number, timeZone: string): string {
  return timeFormatOf(timeZone).format(at);
}

const formatOf = formatsWith({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const timeFormatOf = formatsWith({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Formats are kept, since each takes longer to create than to use. */
function formatsWith(options: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    let format = formats.get(timeZone);
    if (format === undefined)
      formats.set(timeZone, (format = new Intl.DateTimeFormat('en-GB', { timeZone, ...options })));
    return format;
  };
}

/** An instant, in milliseconds since the epoch, as the wall-clock time of the user's zone, with its name. */
export function Time({ at, timeZone }: { at: number; timeZone: string }) {
  return <time datetime={new Date(at).toISOString()}>{nameInstant(at, timeZone)}</time>;
}

/** Like `Time`, as a text. */
export function nameInstant(at: number, timeZone: string): string {
  return formatOf(timeZone).format(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  formats.set(timeZone, format);
  return format;
}

// A format takes some ten kilobytes, and there are 600 zones.
const MAX_FORMATS = 64;

/**
 * Formats of instants in the zones that are used, in a form. They are kept, since each takes longer to create than to use.
 * For an unknown zone a `RangeError` is thrown.
 */
export function formatsWith(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    const known = formats.get(timeZone);
    if (known) return known;
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    const [oldest] = formats.keys();
    if (formats.size >= MAX_FORMATS && oldest !== undefined) formats.delete(oldest);
    formats.set(timeZone, format);
    return format;
  };
}

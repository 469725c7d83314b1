/** Milliseconds since the epoch as callers see them: ISO 8601, UTC. */
export function toInstant(at: number): string;
export function toInstant(at: number | null): string | null;
export function toInstant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * True for an instant in ISO 8601 with an offset: without one it would be a different moment on each machine. Without a
 * schema, for what reads settings as the Worker loads.
 */
export function isInstant(text: string): boolean {
  const [, year, month, day] = INSTANT.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Structured log lines, one JSON object each. Callers pass codes, ids and counts; never a secret, never a body. */

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Logs an event that is not a problem. */
export function logInfo(event: string, fields: Fields): void {
  console.log(JSON.stringify({ level: 'info', event, ...fields }));
}

/** The number of times that this isolate has logged each problem. There are a few dozen events at most. */
const counts = new Map<string, number>();

/**
 * Logs a problem that an operator should check: a store that fails, a bug. `of_this_isolate` counts the problems with
 * this event since the isolate began, including this one.
 */
export function logProblem(event: string, cause: unknown, fields: Fields = {}): void {
  const detail = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  const count = (counts.get(event) ?? 0) + 1;
  counts.set(event, count);
  console.error(JSON.stringify({ level: 'error', event, detail, of_this_isolate: count, ...fields }));
}

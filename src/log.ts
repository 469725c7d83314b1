/** Structured log lines, one JSON object each. Callers pass codes, ids and counts; never a secret, never a body. */

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Something that works as meant. */
export function logInfo(event: string, fields: Fields): void {
  console.log(JSON.stringify({ level: 'info', event, ...fields }));
}

/** How often this isolate has logged each problem. Events are words of ours: there are a few dozen at most. */
const counts = new Map<string, number>();

/**
 * Something an operator should look at: a store out of reach, a bug. `of_this_isolate` counts those with the same event
 * since the isolate began, this one included.
 */
export function logProblem(event: string, cause: unknown, fields: Fields = {}): void {
  const detail = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  const count = (counts.get(event) ?? 0) + 1;
  counts.set(event, count);
  console.error(JSON.stringify({ level: 'error', event, detail, of_this_isolate: count, ...fields }));
}

/** Structured log lines, one JSON object each. Callers pass codes, ids and counts; never a secret, never a body. */

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Something that works as meant. */
export function logInfo(event: string, fields: Fields): void {
  console.log(JSON.stringify({ level: 'info', event, ...fields }));
}

/** Something an operator should look at: a store out of reach, a bug. */
export function logProblem(event: string, cause: unknown, fields: Fields = {}): void {
  const detail = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  console.error(JSON.stringify({ level: 'error', event, detail, ...fields }));
}

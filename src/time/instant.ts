/** Milliseconds since the epoch as callers see them: ISO 8601, UTC. */
export function toInstant(at: number): string;
export function toInstant(at: number | null): string | null;
export function toInstant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

import { MAX_CLICK_LIMIT } from '../../fields/max-clicks.ts';
import { countOf, isAbsent, textOf } from './values.ts';

/** A limit of clicks that a link of another service had. */

/** The beginning of a note that says what becomes of a link with such a limit. */
export const UNKNOWN_LEFT = 'The file does not say how many clicks of its limit are left';

interface FormerLimit {
  readonly total: number;
  readonly left: number;
}

/** Why a limit is not kept, by what `readLimit` says of it. */
export const LIMIT_REASONS = {
  unreadable: 'Its limit of clicks cannot be read',
  unknown: UNKNOWN_LEFT,
} as const;

type UnreadLimit = keyof typeof LIMIT_REASONS;

/** True if a limit could be read. */
export const isLimit = (limit: FormerLimit | UnreadLimit | null): limit is FormerLimit =>
  typeof limit === 'object' && limit !== null;

/** Reads a limit of clicks, for which those before count: without them, nothing says how many are left. Null without one. */
export function readLimit(given: unknown, clicks: number | null): FormerLimit | UnreadLimit | null {
  if (isAbsent(given)) return null;
  const total = countOf(textOf(given));
  if (total === null || total > MAX_CLICK_LIMIT) return 'unreadable';
  return clicks === null ? 'unknown' : { total, left: Math.max(0, total - clicks) };
}

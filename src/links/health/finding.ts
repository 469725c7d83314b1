import type { FailureReason } from './unhealthy.ts';
import { DAY_MS, HOUR_MS } from '../../time/day.ts';

/** The result of one check of a destination. */
export type Finding =
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status: number | null }
  /**
   * Neither: the server refuses programs, or has not been asked.
   *
   * @see until the instant before which the server does not want to be asked again, in milliseconds since the epoch
   */
  | { readonly kind: 'unknown'; readonly until?: number }
  /** It was not found out: time was up, or this service seems to have lost its connection. */
  | { readonly kind: 'missed' };

export const UNKNOWN: Finding = { kind: 'unknown' };

/** The state of a destination between its checks. Instants are milliseconds since the epoch. */
export interface HealthState {
  readonly reason: FailureReason | null;
  readonly status: number | null;
  /** When the first of the failed checks was; null after one that did not fail. */
  readonly failingSince: number | null;
  readonly unhealthySince: number | null;
}

/** A day is left to do what was not done in time, so that each destination is checked every 7 days. */
const INTERVAL_MS = 6 * DAY_MS;
/** After so long a destination is checked that could not be. */
const MISSED_MS = HOUR_MS;

/**
 * The state after a check, and when the next one is due. Two failures at least a day apart make a destination
 * unhealthy, and one success healthy; what is unknown changes nothing.
 */
export function nextState(
  state: HealthState,
  finding: Finding,
  now: number,
): { readonly state: HealthState; readonly dueAt: number } {
  switch (finding.kind) {
    case 'ok':
      return {
        state: { reason: null, status: null, failingSince: null, unhealthySince: null },
        dueAt: now + INTERVAL_MS,
      };
    case 'failed': {
      const { reason, status } = finding;
      const failingSince = state.failingSince ?? now;
      const isSecond = now - failingSince >= DAY_MS;
      const unhealthySince = state.unhealthySince ?? (isSecond ? failingSince : null);
      // One that was checked earlier than it was due, as that of another client, waits for the rest of the day.
      const dueAt = unhealthySince === null ? Math.max(failingSince + DAY_MS, now) : now + DAY_MS;
      return { state: { reason, status, failingSince, unhealthySince }, dueAt };
    }
    case 'unknown': {
      const dueAt = state.failingSince === null ? now + INTERVAL_MS : now + DAY_MS;
      return {
        state,
        dueAt: finding.until === undefined ? dueAt : Math.min(dueAt, Math.max(finding.until, now + HOUR_MS)),
      };
    }
    case 'missed':
      break;
  }
  return { state, dueAt: now + MISSED_MS };
}

/** True if there was no response, for which the reason can be the connection of this service. */
export const isConnectionFailure = (finding: Finding): boolean =>
  finding.kind === 'failed' && (finding.reason === 'connection' || (finding.status ?? 0) >= 520);

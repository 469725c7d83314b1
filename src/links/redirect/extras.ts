import { areVisitorExtras, type VisitorExtras } from '../fields/visitors.ts';

/** The properties that a redirect needs of a link beyond a plain one. Instants are milliseconds since the epoch. */
export interface Extras extends VisitorExtras {
  /** The hosts that the operator has blocked, among those of the other destinations of the link. */
  readonly blockedHosts?: readonly string[];
  /** When the password last changed; absent without a password. */
  readonly passwordAt?: number;
  /** When `maxClicks` was set on a link without it. */
  readonly limitedAt?: number;
}

const isInstant = (value: unknown) => value === undefined || Number.isSafeInteger(value);

/** True if a value from outside can be the extras of a link. */
export function areExtras(value: unknown): value is Extras {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { blockedHosts, passwordAt, maxClicks, limitedAt }: Partial<Record<keyof Extras, unknown>> = value;
  return (
    areVisitorExtras(value as Readonly<Record<string, unknown>>) &&
    (blockedHosts === undefined ||
      (Array.isArray(blockedHosts) && blockedHosts.every((it) => typeof it === 'string'))) &&
    isInstant(passwordAt) &&
    isInstant(limitedAt) &&
    (maxClicks === undefined || limitedAt !== undefined)
  );
}

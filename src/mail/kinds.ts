import { DAY_MS, HOUR_MS } from '../time/day.ts';

/** The kinds of mails. */
export type MailKind =
  | 'confirm'
  | 'address_changed'
  | 'invite'
  | 'reset'
  | 'new_device'
  | 'password_changed'
  | 'factors_changed'
  | 'factors_reset'
  | 'identity_changed'
  | 'factor_demanded'
  | 'unconfirmed'
  | 'key_expires'
  | 'domain_lost'
  | 'webhook_disabled';

/** The details of a sign-in, for `new_device`; what is not known is null. */
export interface DeviceDetails {
  readonly browser: string | null;
  readonly os: string | null;
  readonly country: string | null;
}

/** The way by which a password was changed, for `password_changed`: on the account's page, by a link, or by the operator. */
export type PasswordChange = 'session' | 'link' | 'operator';

/** The kinds that are not tried for a day: those with a link not longer than it works, and warnings of what comes later. */
const OTHERS: Partial<Record<MailKind, number>> = {
  confirm: HOUR_MS,
  reset: HOUR_MS,
  invite: 3 * DAY_MS,
  unconfirmed: 2 * DAY_MS,
  key_expires: 2 * DAY_MS,
};

/** For how long a kind of mail is tried, in milliseconds. */
export const lifetimeOf = (kind: MailKind): number => OTHERS[kind] ?? DAY_MS;

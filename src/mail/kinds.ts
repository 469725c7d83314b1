import { HOUR_MS } from '../time/day.ts';

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

/** For how long a kind of mail is tried, in milliseconds: those with a link not longer than their link works. */
export const LIFETIME_MS: Readonly<Record<MailKind, number>> = {
  confirm: HOUR_MS,
  reset: HOUR_MS,
  invite: 72 * HOUR_MS,
  address_changed: 24 * HOUR_MS,
  new_device: 24 * HOUR_MS,
  password_changed: 24 * HOUR_MS,
  factors_changed: 24 * HOUR_MS,
  factors_reset: 24 * HOUR_MS,
  identity_changed: 24 * HOUR_MS,
  factor_demanded: 24 * HOUR_MS,
  unconfirmed: 48 * HOUR_MS,
  key_expires: 48 * HOUR_MS,
  domain_lost: 24 * HOUR_MS,
  webhook_disabled: 24 * HOUR_MS,
};

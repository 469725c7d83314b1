import type { Device } from '../../accounts/sessions/device.ts';
import type { SignInWay } from '../../accounts/sessions/sign-in-history.ts';
import { nameOf } from '../clicks/cards.ts';
import type { PageWords, PlainKey } from '../words.tsx';

/** The names of browsers, places and ways in lists of sessions and sign-ins. */

const WAYS: Readonly<Record<SignInWay, PlainKey>> = {
  password: 'signIns.password',
  app: 'signIns.app',
  recovery_code: 'signIns.recoveryCode',
  passkey: 'signIns.passkey',
  provider: 'signIns.provider',
  basic: 'signIns.basic',
  application_password: 'signIns.application',
};

export const nameOfWay = ({ text }: PageWords, way: SignInWay): string => text(WAYS[way]);

export function nameOfDevice({ text }: PageWords, { browser, os }: Pick<Device, 'browser' | 'os'>): string {
  const name = browser ?? text('account.unknownBrowser');
  return os ? text('account.browserOn', { browser: name, os }) : name;
}

/** @param country ISO 3166-1 alpha-2, or null */
export const nameOfPlace = (words: PageWords, country: string | null): string => nameOf(words, 'country', country);

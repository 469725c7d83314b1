/** The system and the kind of device of a person. */
interface AppDevice {
  readonly os: string | null;
  readonly device: string | null;
}

/**
 * The `User-Agent` of an app of Facebook that says no more than its own fields. Nothing of a browser stands before them:
 * `[FBAN/FBIOS;FBAV/520.0;FBDV/iPhone15,2;FBSN/iOS;FBSV/18.5;FBID/phone]`.
 */
export const BARE_FACEBOOK_APP = /^\s*\[FB(?:AN|_IAB)\//;

/**
 * The device of a person in an app with a `BARE_FACEBOOK_APP`. `FBSN` is the system, `FBID` the kind of device; apps for
 * Android leave them out, and name themselves.
 */
export function deviceOfFacebookApp(userAgent: string): AppDevice {
  const field = (name: string) => new RegExp(`[[;]${name}/([^;\\]]*)`, 'i').exec(userAgent)?.[1] ?? '';
  const os = systemOf(field('FBSN'), `${field('FBAN')} ${field('FB_IAB')} ${field('FBPN')} ${field('FBDV')}`);
  const model = `${field('FBMD')} ${field('FBDV')}`;
  const device =
    DEVICES.get(field('FBID').toLowerCase()) ?? (/ipad/i.test(model) ? 'tablet' : os === null ? null : 'mobile');
  return { os, device };
}

const DEVICES: ReadonlyMap<string, string> = new Map([
  ['phone', 'mobile'],
  ['tablet', 'tablet'],
  ['desktop', 'desktop'],
]);

/** @param rest the names of the app and of the model */
function systemOf(name: string, rest: string): string | null {
  if (/^(?:iOS|iPhone ?OS|iPadOS)$/i.test(name)) return 'iOS';
  if (/^android$/i.test(name)) return 'Android';
  if (/iOS|iPhone|iPad/i.test(rest)) return 'iOS';
  return /FB4A|\bEMA\b|android|com\.(?:facebook|instagram)\./i.test(rest) ? 'Android' : null;
}

import { isTimeZone } from '../../time/time-zone.ts';
import type { Option } from '../kit/form.tsx';

// The platform lists zones by names that CLDR no longer changes. People look for the present names, which the platform
// accepts too.
const TODAYS_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const MAX_NAME = 64;

/** The zone that a browser names, by its present name; null if the account's field would refuse it. */
export function zoneOfBrowser(name: string): string | null {
  return name.length <= MAX_NAME && isTimeZone(name) ? (TODAYS_NAMES[name] ?? name) : null;
}

/**
 * The time zones to choose from, UTC first; includes the user's own zone even if the platform does not list it.
 *
 * @param own the zone that is chosen now
 */
export function zoneOptions(own: string): readonly Option[] {
  const listed = Intl.supportedValuesOf('timeZone').map((zone) => TODAYS_NAMES[zone] ?? zone);
  const zones = [...new Set([own, ...listed])].filter((zone) => zone !== 'UTC').sort();
  return ['UTC', ...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}

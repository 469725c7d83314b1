import { DEFAULT_DESTINATION } from '../../clicks/filter-fields.ts';
import type { Dimension } from '../../clicks/report.ts';
import { countryName } from '../../text/countries.ts';
import { lazy } from '../../isolate/lazy.ts';
import { displayHost } from '../links/display-url.ts';
import { OTHER_WORD } from '../../statistics/facts.ts';

/** The cards of a page of click statistics, each with its breakdowns, and the names of their values. */

export const CARDS = ['sources', 'locations', 'technology', 'links', 'destinations'] as const;
export type CardName = (typeof CARDS)[number];

export const isCard = (name: string): name is CardName => CARDS.some((card) => card === name);

export const CARD: Readonly<Record<CardName, { readonly title: string; readonly by: readonly Dimension[] }>> = {
  sources: { title: 'Sources', by: ['referrer', 'campaign'] },
  locations: { title: 'Locations', by: ['country', 'language'] },
  technology: { title: 'Technology', by: ['device', 'browser', 'os'] },
  links: { title: 'Links', by: ['link'] },
  destinations: { title: 'Destinations', by: ['destination'] },
};

interface Words {
  readonly title: string;
  /** One of its values. */
  readonly label: string;
  /** The word for a value that is not known, if not "Unknown". */
  readonly unknown?: string;
  readonly nameOf?: (key: string) => string;
}

export const WORDS: Readonly<Record<Dimension | 'visitor', Words>> = {
  referrer: { title: 'Referrers', label: 'Referrer', unknown: 'Direct or unknown', nameOf: displayHost },
  campaign: { title: 'Campaigns', label: 'Campaign', unknown: 'No campaign' },
  country: {
    title: 'Countries',
    label: 'Country',
    nameOf: (key) => (key === 'XX' ? 'Unknown' : key === 'T1' ? 'Tor network' : countryName(key)),
  },
  language: {
    title: 'Languages',
    label: 'Language',
    nameOf: languageName,
  },
  device: { title: 'Devices', label: 'Device', nameOf: deviceName },
  browser: { title: 'Browsers', label: 'Browser' },
  os: {
    title: 'Operating systems',
    label: 'Operating system',
  },
  link: { title: 'Top links', label: 'Link' },
  destination: {
    title: 'Destinations',
    label: 'Destination',
    unknown: 'Default destination',
    nameOf: (key) => (key === DEFAULT_DESTINATION ? 'Default destination' : key),
  },
  visitor: {
    title: 'Visitors',
    label: 'Visitors',
    nameOf: (key) => ({ human: 'People', bot: 'Bots', preview: 'Previews' })[key] ?? key,
  },
};

/** The name of a value, null or `null` for what is not known. */
export function nameOf(dimension: keyof typeof WORDS, key: string | null): string {
  const { unknown = 'Unknown', nameOf: name } = WORDS[dimension];
  if (key === null || key === 'null') return unknown;
  return key === OTHER_WORD ? 'Others' : (name?.(key) ?? key);
}

function deviceName(key: string): string {
  return key === 'tv' ? 'TV' : key.charAt(0).toUpperCase() + key.slice(1);
}

const languages = lazy(() => new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }));

function languageName(key: string): string {
  return /^[a-z]{2,3}$/.test(key) ? (languages().of(key) ?? key) : key;
}

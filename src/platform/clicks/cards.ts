import { DEFAULT_DESTINATION } from '../../clicks/filter-fields.ts';
import type { Dimension } from '../../clicks/report.ts';
import { countryName } from '../../text/countries.ts';
import { lazy } from '../../isolate/lazy.ts';
import { displayHost } from '../links/display-url.ts';
import { OTHER_WORD } from '../../statistics/facts.ts';

/** The breakdowns of a page of click statistics, and the names of their values. */

/** The breakdowns whose first values a page shows, and those that it leads to. */
export interface Breakdowns {
  readonly cards: readonly Dimension[];
  readonly more: readonly Dimension[];
}

const OF_VISITORS = ['country', 'referrer', 'device', 'via'] as const;
const MORE_OF_VISITORS = ['language', 'browser', 'os', 'utm_medium', 'utm_campaign'] as const;

/** The breakdowns of the pages of each kind. All links of a workspace are read for those of a campaign. */
export const BREAKDOWNS = {
  client: { cards: ['link', 'country', 'referrer', 'campaign', 'device', 'via'], more: MORE_OF_VISITORS },
  campaign: { cards: OF_VISITORS, more: ['link', ...MORE_OF_VISITORS, 'destination'] },
  link: { cards: [...OF_VISITORS, 'destination'], more: [...MORE_OF_VISITORS, 'campaign'] },
  shared: { cards: OF_VISITORS, more: MORE_OF_VISITORS },
} as const satisfies Readonly<Record<string, Breakdowns>>;

const FEW_LINKS = 100;

/** The breakdowns of some links. Where they are many, counting each takes as long as all of the rest. */
export const breakdownsOfLinks = (names: readonly string[]): Breakdowns =>
  names.length <= FEW_LINKS
    ? { cards: BREAKDOWNS.client.cards, more: [...MORE_OF_VISITORS, 'destination'] }
    : { cards: [...OF_VISITORS, 'campaign'], more: ['link', ...MORE_OF_VISITORS, 'destination'] };

interface Words {
  readonly title: string;
  /** One of its values. */
  readonly label: string;
  /** The word for a value that is not known, if not "Unknown". */
  readonly unknown?: string;
  readonly nameOf?: (key: string) => string;
}

// Maps, since a visitor's word could be the name of a property of all objects.
const VIAS = new Map([
  ['link', 'The link'],
  ['qr', 'The QR code'],
]);
const DEVICES = new Map([
  ['mobile', 'Phone'],
  ['desktop', 'Computer'],
  ['tv', 'TV'],
]);
const VISITORS = new Map([
  ['human', 'People'],
  ['bot', 'Bots'],
  ['preview', 'Previews'],
]);

export const WORDS: Readonly<Record<Dimension | 'visitor', Words>> = {
  referrer: { title: 'From', label: 'Referrer', unknown: 'No referrer', nameOf: displayHost },
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
  link: { title: 'Links', label: 'Link' },
  destination: {
    title: 'Destinations',
    label: 'Destination',
    unknown: 'Default destination',
    nameOf: (key) => (key === DEFAULT_DESTINATION ? 'Default destination' : key),
  },
  via: {
    title: 'Came by',
    label: 'Source',
    nameOf: (key) => VIAS.get(key) ?? key,
  },
  utm_medium: { title: 'UTM mediums', label: 'UTM medium', unknown: 'No medium' },
  utm_campaign: { title: 'UTM campaigns', label: 'UTM campaign', unknown: 'No UTM campaign' },
  visitor: {
    title: 'Visitors',
    label: 'Visitors',
    nameOf: (key) => VISITORS.get(key) ?? key,
  },
};

/** The name of a value, null or `null` for what is not known. */
export function nameOf(dimension: keyof typeof WORDS, key: string | null): string {
  const { unknown = 'Unknown', nameOf: name } = WORDS[dimension];
  if (key === null || key === 'null') return unknown;
  return key === OTHER_WORD ? 'Others' : (name?.(key) ?? key);
}

function deviceName(key: string): string {
  return DEVICES.get(key) ?? key.charAt(0).toUpperCase() + key.slice(1);
}

const languages = lazy(() => new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }));

function languageName(key: string): string {
  return /^[a-z]{2,3}$/.test(key) ? (languages().of(key) ?? key) : key;
}

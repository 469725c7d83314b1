import { perLanguage } from '../../languages/per-language.ts';
import { DEFAULT_DESTINATION } from '../../clicks/filter-fields.ts';
import type { Dimension } from '../../clicks/report.ts';
import { countryName } from '../../text/countries.ts';
import { displayHost } from '../links/display-url.ts';
import { OTHER_WORD } from '../../statistics/facts.ts';
import type { PageWords, PlainKey } from '../words.tsx';

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

interface Named {
  readonly title: PlainKey;
  /** One of its values. */
  readonly label: PlainKey;
  /** The sentence where no value is known. */
  readonly none: PlainKey;
  /** The word for a value that is not known, if not "Unknown". */
  readonly unknown?: PlainKey;
  readonly nameOf?: (words: PageWords, key: string) => string;
}

// Maps, since a visitor's word could be the name of a property of all objects.
const VIAS = new Map<string, PlainKey>([
  ['link', 'clicks.byLink'],
  ['qr', 'clicks.byQr'],
]);
const DEVICES = new Map<string, PlainKey>([
  ['mobile', 'clicks.phone'],
  ['tablet', 'clicks.tablet'],
  ['desktop', 'clicks.computer'],
  ['tv', 'clicks.tv'],
  ['bot', 'clicks.bot'],
]);
const VISITORS = new Map<string, PlainKey>([
  ['human', 'clicks.people'],
  ['bot', 'clicks.bots'],
  ['preview', 'clicks.previews'],
]);
const COUNTRIES = new Map<string, PlainKey>([
  ['XX', 'clicks.unknown'],
  ['T1', 'clicks.tor'],
]);

export const NAMED: Readonly<Record<Dimension, Named>> & Readonly<Record<'visitor', Omit<Named, 'none'>>> = {
  referrer: {
    title: 'clicks.from',
    label: 'clicks.referrer',
    none: 'clicks.referrerUnknown',
    unknown: 'clicks.noReferrer',
    nameOf: (_, key) => displayHost(key),
  },
  campaign: {
    title: 'clicks.campaigns',
    label: 'clicks.campaign',
    none: 'clicks.campaignUnknown',
    unknown: 'clicks.noCampaign',
  },
  country: {
    title: 'clicks.countries',
    label: 'clicks.country',
    none: 'clicks.countryUnknown',
    nameOf: (words, key) => wordIn(words, COUNTRIES, key) ?? nameOfCountry(words, key),
  },
  language: {
    title: 'clicks.languages',
    label: 'clicks.language',
    none: 'clicks.languageUnknown',
    nameOf: ({ language }, key) => (/^[a-z]{2,3}$/.test(key) ? nameIn(language, 'language', key) : key),
  },
  device: {
    title: 'clicks.devices',
    label: 'clicks.device',
    none: 'clicks.deviceUnknown',
    nameOf: (words, key) => wordIn(words, DEVICES, key) ?? key.charAt(0).toUpperCase() + key.slice(1),
  },
  browser: { title: 'clicks.browsers', label: 'clicks.browser', none: 'clicks.browserUnknown' },
  os: { title: 'clicks.systems', label: 'clicks.system', none: 'clicks.systemUnknown' },
  link: { title: 'clicks.links', label: 'clicks.link', none: 'clicks.linkUnknown' },
  destination: {
    title: 'clicks.destinations',
    label: 'clicks.destination',
    none: 'clicks.destinationUnknown',
    unknown: 'clicks.defaultDestination',
    nameOf: ({ text }, key) => (key === DEFAULT_DESTINATION ? text('clicks.defaultDestination') : key),
  },
  via: {
    title: 'clicks.cameBy',
    label: 'clicks.source',
    none: 'clicks.sourceUnknown',
    nameOf: (words, key) => wordIn(words, VIAS, key) ?? key,
  },
  utm_medium: {
    title: 'clicks.mediums',
    label: 'clicks.medium',
    none: 'clicks.mediumUnknown',
    unknown: 'clicks.noMedium',
  },
  utm_campaign: {
    title: 'clicks.utmCampaigns',
    label: 'clicks.utmCampaign',
    none: 'clicks.utmCampaignUnknown',
    unknown: 'clicks.noUtmCampaign',
  },
  visitor: {
    title: 'clicks.visitorKinds',
    label: 'clicks.visitorKinds',
    nameOf: (words, key) => wordIn(words, VISITORS, key) ?? key,
  },
};

/** The name of a value, null or `null` for what is not known. */
export function nameOf(words: PageWords, dimension: keyof typeof NAMED, key: string | null): string {
  const { unknown = 'clicks.unknown', nameOf: name } = NAMED[dimension];
  if (key === null || key === 'null') return words.text(unknown);
  return key === OTHER_WORD ? words.text('clicks.others') : (name?.(words, key) ?? key);
}

function wordIn({ text }: PageWords, table: ReadonlyMap<string, PlainKey>, key: string): string | undefined {
  const found = table.get(key);
  return found && text(found);
}

const nameOfCountry = ({ language }: PageWords, key: string): string =>
  language === 'en' || !/^[A-Z]{2}$/.test(key) ? countryName(key) : nameIn(language, 'region', key);

const regionsIn = perLanguage((language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }));
const languagesIn = perLanguage(
  (language) => new Intl.DisplayNames([language], { type: 'language', fallback: 'code' }),
);

/** The name of a language or a region in the language of the page, or its code. */
function nameIn(language: string, type: 'language' | 'region', code: string): string {
  return (type === 'region' ? regionsIn : languagesIn)(language).of(code) ?? code;
}

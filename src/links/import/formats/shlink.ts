import type { Format } from './format.ts';
import { ANY } from './values.ts';

/**
 * The CSV of the web client of Shlink (4), that of its versions before 3.10.1, which have no short codes and commas
 * between tags, the CSV that Shlink itself imports (shlink-importer 5.7.0), and the list of short URLs of its API.
 */
export const shlink: Format = {
  id: 'shlink',
  name: 'Shlink',
  file: 'CSV of its web client (4, and before 3.10.1); the CSV that it imports; JSON of its API',
  needs: [
    ['shortcode', 'longurl'],
    ['short_code', 'long_url'],
    ['shortcode', 'long_url'],
    ['short_code', 'longurl'],
    ['shorturl', 'longurl'],
    ['short_url', 'long_url', 'title'],
    ['short_url', 'long_url', 'domain'],
  ],
  columns: {
    shortcode: 'slug',
    short_code: 'slug',
    shorturl: 'short_url',
    short_url: 'short_url',
    domain: 'domain',
    longurl: 'url',
    long_url: 'url',
    title: 'title',
    tags: 'tags',
    createdat: 'created_at',
    datecreated: 'created_at',
    meta: 'limits',
    'meta.validsince': 'starts_at',
    'meta.validuntil': 'expires_at',
    'meta.maxvisits': 'max_clicks',
    visits: 'imported_clicks',
    visitscount: 'imported_clicks',
    'visitssummary.total': 'imported_clicks',
    forwardquery: 'forward_query',
    'devicelongurls.ios': 'ios_url',
    'devicelongurls.android': 'android_url',
    'devicelongurls.desktop': 'desktop_url',
    'visitssummary.bots': 'part_of_clicks',
    'visitssummary.nonbots': 'part_of_clicks',
    hasredirectrules: 'has_rules',
  },
  tagSeparator: ANY,
  forwardsQueryOf: [
    ['shortcode'],
    ['short_code'],
    ['domain'],
    ['datecreated'],
    ['meta.validsince'],
    ['meta.validuntil'],
    ['meta.maxvisits'],
    ['visitscount'],
    ['visitssummary.total'],
    ['hasredirectrules'],
    ['createdat', 'shorturl', 'longurl', 'title', 'tags', 'visits'],
  ],
  notes: [
    {
      text: 'The CSV of Shlink has no dates and no limits of visits. If links have some, import the JSON of its API.',
      unless: ['meta', 'meta.validsince', 'datecreated'],
    },
    {
      text: 'The file does not say which links pass the query of a visit on: all of them do, as is the default of Shlink.',
      unless: ['forwardquery'],
      ofForwarding: true,
    },
  ],
};

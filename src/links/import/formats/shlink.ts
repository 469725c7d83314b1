import { ONLY_TOTALS, type Format } from './format.ts';

/** The CSV of the web client of Shlink, and the list of short URLs of its API. */
export const shlink: Format = {
  id: 'shlink',
  name: 'Shlink',
  needs: [['shortcode', 'longurl']],
  columns: {
    shortcode: 'slug',
    shorturl: 'short_url',
    domain: 'domain',
    longurl: 'url',
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
    hasredirectrules: 'has_rules',
  },
  tagSeparator: '|',
  notes: [
    ONLY_TOTALS,
    'The CSV of Shlink has no dates and no limits of visits. If links have some, import the JSON of its API.',
  ],
};

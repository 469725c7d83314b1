import { NO_HOST, type Format } from './format.ts';

/**
 * The table of YOURLS (1.10.4), the links of its API's `stats`, and the file of its export plugin, whose sources are
 * paths such as `/keyword/`.
 */
export const yourls: Format = {
  id: 'yourls',
  name: 'YOURLS',
  file: 'CSV of its table, also without a header; JSON of `stats`; CSV of its plugin',
  needs: [
    ['keyword', 'url'],
    ['source', 'target', 'hits'],
    ['shorturl', 'url', 'timestamp'],
    ['shorturl', 'url', 'clicks'],
  ],
  columns: {
    keyword: 'slug',
    source: 'short_url',
    shorturl: 'short_url',
    url: 'url',
    target: 'url',
    title: 'title',
    timestamp: 'created_at',
    clicks: 'imported_clicks',
    hits: 'imported_clicks',
  },
  notes: [{ text: NO_HOST, unless: ['shorturl'] }],
};

import { ONLY_TOTALS, type Format } from './format.ts';

/** The table of YOURLS, and the file of its export plugin, whose sources are paths such as `/keyword/`. */
export const yourls: Format = {
  id: 'yourls',
  name: 'YOURLS',
  needs: [
    ['keyword', 'url'],
    ['source', 'target', 'hits'],
  ],
  columns: {
    keyword: 'slug',
    source: 'short_url',
    url: 'url',
    target: 'url',
    title: 'title',
    timestamp: 'created_at',
    clicks: 'imported_clicks',
    hits: 'imported_clicks',
  },
  notes: [ONLY_TOTALS, 'The file does not name the host of the links: choose one.'],
};

import { NO_HOST, type Format } from './format.ts';

/** The list of links of the API of Chhoto URL (7.5.0), and the table `urls` of its database. Expiries are in seconds. */
export const chhoto: Format = {
  id: 'chhoto',
  name: 'Chhoto URL',
  file: 'JSON of `/api/all` (7.5.0); CSV of its table `urls`',
  needs: [
    ['shortlink', 'longlink'],
    ['short_url', 'long_url', 'hits'],
  ],
  columns: {
    shortlink: 'slug',
    short_url: 'slug',
    longlink: 'url',
    long_url: 'url',
    hits: 'imported_clicks',
    expiry_time: 'expires_at',
    notes: 'comments',
  },
  none: { expires_at: ['0'] },
  notes: [NO_HOST],
};

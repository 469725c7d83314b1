import { NO_HOST, type Format } from './format.ts';

/** The CSV of Snapp (0.8.9), and that of its first versions, which an import there takes too. */
export const snapp: Format = {
  id: 'snapp',
  name: 'Snapp',
  file: 'CSV (0.8.9)',
  needs: [['shortcode', 'original_url']],
  columns: {
    shortcode: 'slug',
    original_url: 'url',
    notes: 'comments',
    created: 'created_at',
    expiration: 'expires_at',
    max_usages: 'max_clicks',
    hit: 'imported_clicks',
    used: 'imported_clicks',
    secret: 'has_password',
    has_secret: 'has_password',
  },
  none: { max_clicks: ['-1', '0'] },
  notes: [NO_HOST, 'The file has no tags.'],
};

import { NO_HOST, type Format } from './format.ts';
import { ANY } from './values.ts';

/**
 * The CSVs of tiny.cc, and the list of URLs of its API (version 3). Sources: https://tiny.cc/tiny/csv_examples and
 * https://tiny.cc/tiny/api-docs-v3/read-urls
 */
export const tinyCc: Format = {
  id: 'tiny_cc',
  name: 'tiny.cc',
  file: 'CSV; the list of its API',
  hosts: ['tiny.cc'],
  needs: [
    ['url', 'short_id'],
    ['long_url', 'short_url'],
    ['long_url', 'hash'],
  ],
  alone: { columns: ['url', 'short_url'], separator: ';' },
  columns: {
    url: 'url',
    long_url: 'url',
    short_url: 'short_url',
    short_id: 'slug',
    hash: 'slug',
    note: 'comments',
    tags: 'tags',
    total_clicks: 'imported_clicks',
    expiration_date: 'expires_at',
    max_clicks: 'max_clicks',
    protected: 'has_password',
    archived: 'archived',
  },
  tagSeparator: ANY,
  none: { max_clicks: ['0'] },
  notes: [{ text: NO_HOST, unless: ['short_url'] }],
};

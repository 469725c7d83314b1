import type { Format } from './format.ts';

/** The list of links of the API of Kutt. `link` is a text in version 2, and an object in version 3. */
export const kutt: Format = {
  id: 'kutt',
  name: 'Kutt',
  file: 'JSON of `GET /api/v2/links`',
  hosts: ['kutt.it', 'kutt.to'],
  needs: [['address', 'target']],
  columns: {
    address: 'slug',
    target: 'url',
    domain: 'domain',
    link: 'short_url',
    'link.url': 'short_url',
    description: 'comments',
    created_at: 'created_at',
    expire_in: 'expires_at',
    visit_count: 'imported_clicks',
    password: 'has_password',
    banned: 'banned',
  },
  notes: [],
};

import type { Format } from './format.ts';

export const rebrandly: Format = {
  id: 'rebrandly',
  name: 'Rebrandly',
  file: 'CSV; the list of its API',
  hosts: ['rebrand.ly', 'rebrandly.com'],
  needs: [['slashtag', 'destination']],
  columns: {
    slashtag: 'slug',
    destination: 'url',
    domainname: 'domain',
    'domain.fullname': 'domain',
    shorturl: 'short_url',
    title: 'title',
    tags: 'tags',
    clicks: 'imported_clicks',
    createdat: 'created_at',
    expiredat: 'expires_at',
    status: 'status',
  },
  notes: [],
};

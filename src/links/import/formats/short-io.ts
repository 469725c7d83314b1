import { ONLY_TOTALS, type Format } from './format.ts';

export const shortIo: Format = {
  id: 'short_io',
  name: 'Short.io',
  hosts: ['short.gy', 'short.io', 'shortcm.li'],
  needs: [['shorturl', 'originalurl']],
  columns: {
    shorturl: 'short_url',
    originalpath: 'slug',
    path: 'slug',
    originalurl: 'url',
    title: 'title',
    tags: 'tags',
    clicks: 'imported_clicks',
    createdat: 'created_at',
    expiresat: 'expires_at',
    clickslimit: 'max_clicks',
    password: 'has_password',
    haspassword: 'has_password',
    archived: 'archived',
  },
  notes: [ONLY_TOTALS],
};

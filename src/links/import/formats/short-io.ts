import { NO_HOST, type Format } from './format.ts';

/**
 * The CSV of Short.io, and the table with tabs that it and its tools import. Source of the latter:
 * https://pyshortio.readthedocs.io/en/latest/02-Sync-Tsv/index.html
 */
export const shortIo: Format = {
  id: 'short_io',
  name: 'Short.io',
  file: 'CSV; the table with tabs that it imports',
  hosts: ['short.gy', 'short.io', 'shortcm.li'],
  needs: [
    ['shorturl', 'originalurl'],
    ['original_url', 'path'],
  ],
  columns: {
    shorturl: 'short_url',
    originalpath: 'slug',
    path: 'slug',
    originalurl: 'url',
    original_url: 'url',
    title: 'title',
    tags: 'tags',
    clicks: 'imported_clicks',
    createdat: 'created_at',
    expiresat: 'expires_at',
    expire_at: 'expires_at',
    ttl: 'ttl',
    expire_url: 'expired_url',
    clickslimit: 'max_clicks',
    clicks_limit: 'max_clicks',
    password: 'has_password',
    haspassword: 'has_password',
    archived: 'archived',
    redirect_type: 'redirect_status',
    skip_qs: 'drop_query',
    iphone_url: 'ios_url',
    android_url: 'android_url',
    utm_source: 'utm_source',
    utm_medium: 'utm_medium',
    utm_campaign: 'utm_campaign',
    utm_term: 'utm_term',
    utm_content: 'utm_content',
  },
  dropped: {
    split_url: 'Its second destination is not kept.',
    cloaking: 'It was shown in a frame: now it redirects.',
  },
  notes: [{ text: NO_HOST, unless: ['shorturl'] }],
};

import type { Format } from './format.ts';

/**
 * The export of the pages of Dub (of August 2026), whose columns people choose; that until October 2025, whose
 * columns have the names of keys; and the list of links of its API.
 */
export const dub: Format = {
  id: 'dub',
  name: 'Dub',
  file: 'CSV, also with keys as columns, as until October 2025; the list of its API',
  hosts: ['dub.sh', 'dub.link'],
  needs: [
    ['short_link', 'destination_url'],
    ['link', 'url', 'clicks'],
    ['link', 'url', 'createdat'],
    ['link', 'url', 'updatedat'],
    ['link', 'url', 'archived'],
    ['shortlink', 'url', 'key'],
  ],
  columns: {
    short_link: 'short_url',
    link: 'short_url',
    shortlink: 'short_url',
    domain: 'domain',
    key: 'slug',
    destination_url: 'url',
    url: 'url',
    title: 'title',
    comments: 'comments',
    description: 'comments',
    tags: 'tags',
    clicks: 'imported_clicks',
    created_at: 'created_at',
    createdat: 'created_at',
    expiresat: 'expires_at',
    expiredurl: 'expired_url',
    archived: 'archived',
    disabledat: 'archived',
    ios: 'ios_url',
    android: 'android_url',
    geo: 'countries',
    utm_source: 'utm_source',
    utm_medium: 'utm_medium',
    utm_campaign: 'utm_campaign',
    utm_term: 'utm_term',
    utm_content: 'utm_content',
  },
  none: { slug: ['_root'] },
  dropped: {
    proxy: 'Its link preview is not kept.',
    rewrite: 'It was shown in a frame: now it redirects.',
    testvariants: 'Its test of several destinations is not kept.',
  },
  notes: [
    {
      text: 'The file of Dub does not say which links have a password, an expiry date or other destinations by device: check these.',
      unless: ['expiresat'],
    },
  ],
};

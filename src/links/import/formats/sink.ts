import { NO_HOST, type Format } from './format.ts';

/** The JSON of the pages and the API of Sink (0.3.0). Instants are in seconds. */
export const sink: Format = {
  id: 'sink',
  name: 'Sink',
  file: 'JSON (0.3.0)',
  needs: [
    ['slug', 'url', 'createdat'],
    ['slug', 'url', 'updatedat'],
    ['slug', 'url', 'expiration'],
    ['slug', 'url', 'redirectwithquery'],
  ],
  columns: {
    slug: 'slug',
    url: 'url',
    title: 'title',
    comment: 'comments',
    tags: 'tags',
    createdat: 'created_at',
    expiration: 'expires_at',
    redirectwithquery: 'forward_query',
    google: 'android_url',
    apple: 'ios_url',
    geo: 'countries',
  },
  dropped: {
    cloaking: 'It was shown in a frame: now it redirects.',
    unsafe: 'The warning before it is not kept: now it redirects at once.',
    image: 'Its link preview is not kept.',
  },
  notes: [NO_HOST, 'The file has no clicks.'],
};

import type { Format } from './format.ts';

/** The export of TinyURL, and the list of its API. */
export const tinyurl: Format = {
  id: 'tinyurl',
  name: 'TinyURL',
  file: 'CSV; the list of its API',
  hosts: ['tinyurl.com', 'tiny.one', 'rotf.lol'],
  needs: [
    ['tiny_url', 'url'],
    ['alias', 'url'],
  ],
  columns: {
    domain: 'domain',
    alias: 'slug',
    tiny_url: 'short_url',
    url: 'url',
    description: 'comments',
    tags: 'tags',
    created_at: 'created_at',
    expires_at: 'expires_at',
    hits: 'imported_clicks',
    archived: 'archived',
    deleted: 'deleted',
  },
  notes: [],
};

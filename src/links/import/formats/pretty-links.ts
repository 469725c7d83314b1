import { NO_HOST, type Format } from './format.ts';

/** The CSV of Pretty Links, by the names of the columns of its table of links. */
export const prettyLinks: Format = {
  id: 'pretty_links',
  name: 'Pretty Links',
  file: 'CSV',
  needs: [
    ['url', 'slug', 'redirect_type'],
    ['url', 'slug', 'param_forwarding'],
    ['url', 'slug', 'track_me'],
  ],
  columns: {
    slug: 'slug',
    url: 'url',
    name: 'title',
    description: 'comments',
    link_tags: 'tags',
    created_at: 'created_at',
    clicks: 'imported_clicks',
    redirect_type: 'redirect_status',
    param_forwarding: 'forward_query',
  },
  dropped: { delay: 'Its delay is not kept.' },
  notes: [NO_HOST],
};

import { ONLY_TOTALS, type Format } from './format.ts';

/** The export of the pages of Dub, of which people choose the columns. */
export const dub: Format = {
  id: 'dub',
  name: 'Dub',
  hosts: ['dub.sh', 'dub.link'],
  needs: [['short_link', 'destination_url']],
  columns: {
    short_link: 'short_url',
    destination_url: 'url',
    title: 'title',
    description: 'comments',
    tags: 'tags',
    clicks: 'imported_clicks',
    created_at: 'created_at',
    archived: 'archived',
  },
  notes: [
    ONLY_TOTALS,
    'The file of Dub does not say which links have a password, an expiry date or other destinations by device: check these.',
  ],
};

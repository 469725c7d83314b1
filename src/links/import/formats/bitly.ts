import type { Format } from './format.ts';

/** Both exports of the pages of Bitly, and the list of bitlinks of its API. */
export const bitly: Format = {
  id: 'bitly',
  name: 'Bitly',
  file: 'both CSVs; the list of its API',
  hosts: ['bit.ly', 'bitly.com', 'j.mp'],
  needs: [
    ['link', 'destination_url'],
    ['bitlink', 'long_url'],
    ['link', 'long_url'],
  ],
  columns: {
    link: 'short_url',
    bitlink: 'short_url',
    custom_link: 'custom_short_url',
    custom_bitlinks: 'custom_short_url',
    destination_url: 'url',
    long_url: 'url',
    title: 'title',
    tags: 'tags',
    campaign: 'campaign_name',
    date_created: 'created_at',
    created: 'created_at',
    created_at: 'created_at',
    engagements: 'imported_clicks',
    total_engagements: 'imported_clicks',
    total_clicks: 'imported_clicks',
    clicks: 'imported_clicks',
    link_clicks: 'part_of_clicks',
    scans: 'part_of_clicks',
    qr_code_scans: 'part_of_clicks',
    status: 'status',
    archived: 'archived',
  },
  notes: [],
};

import type { Format } from './format.ts';

/** A text with a URL in each line. Its links get slugs here. */
export const urlList: Format = {
  id: 'url_list',
  name: 'List of URLs',
  file: 'text with a URL in each line',
  needs: [],
  columns: { url: 'url' },
  notes: ['Each link gets a generated slug. URLs without https:// or http:// get https://.'],
};

import { NO_HOST, type Format } from './format.ts';

/** The lines of `/.export` of golink (1.0.0). The first year is its time of no time. */
export const golink: Format = {
  id: 'golink',
  name: 'golink',
  file: 'lines of `/.export` (1.0.0)',
  needs: [
    ['short', 'long', 'owner'],
    ['short', 'long', 'created'],
    ['short', 'long', 'lastedit'],
  ],
  columns: { short: 'slug', long: 'url', created: 'created_at' },
  none: { created_at: ['0001-01-01T00:00:00Z'] },
  refusalOf(destination) {
    if (destination.includes('{{')) return 'Its destination is a template, which depends on the path of the visit.';
    return destination.startsWith('/')
      ? 'Its destination is another link of golink: import it with the URL of that.'
      : null;
  },
  notes: [NO_HOST],
};

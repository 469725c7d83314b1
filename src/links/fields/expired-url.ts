import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { webPageSchemas } from './url.ts';

const meta = {
  description: 'Where visitors are redirected once the link has expired',
  example: 'https://example.com/over',
};

/** Where visitors are redirected after the link has expired or its clicks are used up, instead of 410. */
export const expiredUrlField = field({
  label: 'Fallback URL after expiry',
  ...VISITOR_FIELDS.expired_url,
  description: 'Where visitors are redirected after the expiry or the last click; null for status 410',
  isPublished: false,
  isSearched: false,
  destinationsIn: 'itself',
  schemas: () => webPageSchemas(meta),
  input: {
    kind: 'url',
    section: 'schedule',
    isCode: true,
  },
});

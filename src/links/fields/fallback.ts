import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { webPageSchemas } from './url.ts';

const meta = {
  description:
    'Where visitors continue who do not have the app, if a destination of the link opens one, as `myapp://open` does. People ' +
    'get a page that opens the app and, on phones, continues there after 1.5 seconds; programs are redirected there.',
  brief: 'URL for visitors without the app',
  example: 'https://example.com/app',
};

/** The field with the page of the web for visitors without the app that a destination opens. */
export const fallbackField = field({
  label: 'Fallback URL without the app',
  ...VISITOR_FIELDS.fallback,
  description: 'Where visitors without the app of a destination continue; null to redirect all to the app',
  isPublished: false,
  isSearched: false,
  destinationsIn: 'itself',
  schemas: () => webPageSchemas(meta),
  input: {
    kind: 'url',
    section: 'app',
    isCode: true,
  },
});

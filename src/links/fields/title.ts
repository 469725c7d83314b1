import { field } from './field.ts';
import { lineUpTo, notEmpty } from './line.ts';

/** The owner's name for the link. */
export const titleField = field({
  label: 'Title',
  stored: 'text',
  isClearable: true,
  description: 'The title of the link; null if it has none',
  isPublished: false,
  isSearched: true,
  visitorsNeed: 'never',
  schemas: () => {
    const title = lineUpTo(200).meta({
      description: 'A title to find the link by, without control characters; visitors do not see it',
      example: 'Spring sale',
    });
    return { create: title, edit: notEmpty(title), row: title };
  },
  input: {
    kind: 'line',
    hint: 'A name to find the link by. Visitors do not see it.',
  },
});

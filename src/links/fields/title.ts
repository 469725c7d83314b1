import { field } from './field.ts';
import { lineUpTo, notEmpty } from './line.ts';

export const MAX_TITLE_CHARACTERS = 200;

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
    const title = lineUpTo(MAX_TITLE_CHARACTERS).meta({
      description: 'A title to find the link by, without control characters; visitors do not see it',
      brief: 'A title to find the link by',
      example: 'Spring sale',
    });
    return { create: title, edit: notEmpty(title), row: title };
  },
  input: {
    kind: 'line',
  },
});

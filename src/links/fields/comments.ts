import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { fault } from '../../input/validation.ts';
import { field } from './field.ts';
import { notEmpty } from './line.ts';

export const MAX_COMMENTS_CHARACTERS = 2000;

// Browsers send line ends as CR LF, and count each as one character. The result has no CR, so that an exported text is
// the same when it is imported.
export const withLineFeeds = (text: string) => text.replaceAll(/\r\n?/g, '\n');
// A character is at most two code units, and so is a line end.
const isShort = (text: string) =>
  text.length <= 2 * MAX_COMMENTS_CHARACTERS && Array.from(withLineFeeds(text)).length <= MAX_COMMENTS_CHARACTERS;

const TEXT = String.raw`^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$`;

const comments = lazy(() =>
  z
    .string()
    .refine(isShort, {
      error: `must be at most ${MAX_COMMENTS_CHARACTERS} characters long`,
      ...fault('too_long'),
      abort: true,
    })
    .regex(new RegExp(TEXT, 'u'), 'must not contain control characters except tabs and line ends')
    .meta({
      maxLength: MAX_COMMENTS_CHARACTERS,
      description:
        'Comments for the people who manage the link; visitors do not see them. Line ends are kept as line feeds.',
      example: 'For the poster at the station.',
    }),
);

/** Notes for the people who manage the link. Line ends are kept as line feeds. */
export const commentsField = field({
  label: 'Comments',
  stored: 'text',
  isClearable: true,
  description: 'The comments on the link; null if it has none',
  isPublished: false,
  isSearched: true,
  visitorsNeed: 'never',
  schemas: () => ({
    create: comments().transform(withLineFeeds),
    edit: notEmpty(comments()).transform(withLineFeeds),
    row: comments().transform(withLineFeeds),
  }),
  input: {
    kind: 'lines',
    section: 'comments',
  },
});

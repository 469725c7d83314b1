import * as z from 'zod';
import { fault, WITHOUT_CONTROLS } from '../../input/validation.ts';
import { textUpTo } from '../../input/schemas.ts';
import { lazy } from '../../isolate/lazy.ts';
import { isSeen } from '../../text/look-alikes.ts';
import { listOf } from '../routes/list.ts';
import {
  inOrder,
  MAX_TAG_CHARACTERS,
  MAX_TAGS_OF_LINK,
  MAX_UNITS_OF_TAG,
  splitTags,
  trimmedName,
} from '../tags/names.ts';
import { field } from './field.ts';

const tooLong = () => ({ error: `must be at most ${MAX_TAG_CHARACTERS} characters long`, ...fault('too_long') });

/** The name of a tag. Spaces around it are removed. */
export const tagName = lazy(() =>
  z
    .string()
    .refine((text) => text.length <= MAX_UNITS_OF_TAG, { ...tooLong(), abort: true })
    .transform((text) => trimmedName(text) ?? '')
    .pipe(
      textUpTo(MAX_TAG_CHARACTERS)
        .regex(WITHOUT_CONTROLS, 'must not contain control characters')
        .regex(/^[^,]*$/, 'must not contain a comma')
        .refine(isSeen, { error: `must have 1 to ${MAX_TAG_CHARACTERS} characters, not only invisible ones` }),
    )
    .meta({ description: 'The name of a tag: 1 to 50 characters without commas', example: 'Summer' }),
);

// The longest names with all that can be around them.
const MAX_TEXT = 16 * 1024;

const meta = {
  description: `The names of up to ${MAX_TAGS_OF_LINK} tags, case-insensitive: a tag that does not exist is created, and an empty list clears the field`,
  example: ['Summer', 'Print'],
};

/** The tags of the link, by their names; stored in `link_tags`. */
export const tagsField = field({
  label: 'Tags',
  stored: 'names',
  isClearable: true,
  description: 'The names of the tags of the link, in the order of the alphabet',
  isPublished: false,
  isSearched: true,
  visitorsNeed: 'never',
  schemas: () => {
    const list = listOf(tagName(), { most: MAX_TAGS_OF_LINK, things: 'tags', canBeEmpty: true })
      .transform((names) => (names.length === 0 ? null : inOrder(names)))
      .meta(meta);

    const text = z
      .string()
      .refine((it) => it.length <= MAX_TEXT, {
        error: `must be at most ${MAX_TEXT} characters long`,
        ...fault('too_long'),
        abort: true,
      })
      .transform(splitTags)
      .pipe(list)
      .meta({
        description: `${meta.description}; as names with commas between, or as JSON text`,
        example: 'Summer, Print',
      });

    // A union would hide which name is wrong.
    const row = z
      .preprocess((it) => (typeof it === 'string' && it.length <= MAX_TEXT ? splitTags(it) : it), list)
      .meta(meta);
    return { create: text, createJson: list, edit: list, row };
  },
  input: {
    kind: 'line',
    section: 'campaign',
  },
});

import * as z from 'zod';
import { LANGUAGE_TAGS } from '../../languages/list.ts';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';

/** The field with the language of the pages that visitors of a link get. */
export const languageField = field({
  label: 'Language of its pages',
  ...VISITOR_FIELDS.language,
  description: 'The language of the pages for visitors; null for the one that each of them prefers',
  isPublished: false,
  isSearched: false,
  schemas: () => {
    const language = z
      .enum(LANGUAGE_TAGS as [(typeof LANGUAGE_TAGS)[number]], { error: `must be one of ${LANGUAGE_TAGS.join(', ')}` })
      .meta({
        description:
          'The language of the pages for visitors, such as that with the form of a password; without it, the one that each ' +
          'visitor prefers (`Accept-Language`), else English',
        brief: 'Language of its pages',
        example: 'de',
      });
    return { create: language, edit: language, row: language };
  },
  input: {
    kind: 'choice',
    section: 'redirect',
  },
});

import { textUpTo } from '../../input/schemas.ts';
import { field } from './field.ts';

const LEAST = 4;
const MOST = 128;

/** The least and the most characters of a password. */
export const PASSWORD_CHARACTERS = { least: LEAST, most: MOST } as const;

/** The password of a link; stored as a hash in `password_hash`, which no answer has. */
export const passwordField = field({
  label: 'Password',
  isClearable: true,
  description: 'Whether the link has a password',
  isPublished: false,
  isSearched: false,
  visitorsNeed: 'if_set',
  schemas: () => {
    const password = textUpTo(MOST)
      .refine((text) => Array.from(text).length >= LEAST, { error: `must be at least ${LEAST} characters long` })
      .meta({
        description:
          'A password that visitors enter before they are redirected. It is stored as a hash, and never shown again.',
        example: 'open sesame',
        minLength: LEAST,
        writeOnly: true,
      });
    return { create: password, edit: password };
  },
  input: {
    kind: 'password',
    section: 'password',
  },
});

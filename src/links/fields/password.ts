import { fault, textUpTo } from '../../input/validation.ts';
import { field } from './field.ts';

const LEAST = 4;
const MOST = 128;

/** The most bytes of the form in which a visitor sends the password, as `application/x-www-form-urlencoded`. */
export const MAX_FORM_BYTES = 1024;

const NAME = 'password';
const MAX_BYTES = MAX_FORM_BYTES - `${NAME}=`.length;

const bytesInForm = (text: string) => new URLSearchParams({ '': text }).toString().length - 1;

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
      .refine((text) => bytesInForm(text) <= MAX_BYTES, {
        error: `must take at most ${MAX_BYTES} bytes in a form`,
        ...fault('too_long'),
      })
      .meta({
        description:
          'A password that visitors enter before they are redirected. It is stored as a hash, and never shown ' +
          `again. At most ${MAX_BYTES} bytes as a form sends it.`,
        example: 'open sesame',
        minLength: LEAST,
        writeOnly: true,
      });
    return { create: password, edit: password };
  },
  input: {
    kind: 'password',
    section: 'password',
    hint: `Visitors enter it before they are redirected. ${LEAST} to ${MOST} characters.`,
    editHint: 'Leave it empty to keep what is set.',
  },
});

import * as z from 'zod';
import { normalizeBounded, MAX_UNITS_OF_CHARACTER } from '../../text/nfc.ts';
import { lazy } from '../../isolate/lazy.ts';
import { isSubject, MAX_SUBJECT } from '../../tokens/subject.ts';
import { parseApplicationPassword } from '../application-passwords/application-password.ts';
import { isUserName } from './user-names.ts';
import { CONTROLS, WITHOUT_CONTROLS } from '../../input/validation.ts';

const NO_NAME = 'must be 1 to 64 of A-Z a-z 0-9 . _ ~ -, and not "." or ".."';

/** Names as callers send them in forms and paths: RFC 3986 unreserved characters, and not a dot segment. */
export const identifier = lazy(() =>
  z
    .string()
    .regex(/^[A-Za-z0-9._~-]{1,64}$/, { error: NO_NAME, abort: true })
    .refine((text) => text !== '.' && text !== '..', { error: NO_NAME })
    .meta({ description: 'Neither `.` nor `..`' }),
);

export const clientId = lazy(() =>
  identifier().meta({
    description: 'Client id of the service customer; neither `.` nor `..`',
    example: 'acme',
  }),
);

const MAX_NAME_CHARACTERS = 128;

/** The longest spelling of a user name. */
export const MAX_UNITS_OF_NAME = MAX_NAME_CHARACTERS * MAX_UNITS_OF_CHARACTER;

/** A user name: what fits HTTP Basic (RFC 7617 allows no colon and no control characters), in NFC. */
export const userName = lazy(() =>
  z
    .string()
    .transform((name) => normalizeBounded(name, MAX_UNITS_OF_NAME) ?? '')
    .pipe(
      z
        .string()
        .regex(
          /^(?!\s)[^\p{Cc}:]{1,128}(?<!\s)$/u,
          'must be 1 to 128 characters without colons, and without spaces at the start or end',
        ),
    )
    .meta({ description: 'The name to sign in with: 1 to 128 characters, no colon', example: 'eve' }),
);

/** The name of a new user. Names of existing users may break this rule. */
export const newUserName = lazy(() =>
  userName().refine(isUserName, {
    error:
      'must contain only letters, digits and common punctuation, single spaces between words, and letters of one writing direction',
  }),
);

/** The most UTF-16 code units of a password. */
export const MAX_PASSWORD_LENGTH = 1024;

/** A password: anything that can be typed and sent through HTTP Basic. */
export const password = lazy(() =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(MAX_PASSWORD_LENGTH, `must be at most ${MAX_PASSWORD_LENGTH} characters long`)
    .regex(WITHOUT_CONTROLS, 'must not contain control characters')
    .meta({ description: 'The password to sign in with' }),
);

const MIN_PASSWORD_LENGTH = 8;

/** A new password. */
export const chosenPassword = lazy(() =>
  password()
    .refine((text) => text.length >= MIN_PASSWORD_LENGTH, {
      error: `must be at least ${MIN_PASSWORD_LENGTH} characters long`,
      abort: true,
    })
    // A text of this form is looked up as one, and never checked as the password of an account.
    .refine((text) => parseApplicationPassword(text) === null, {
      error: 'must not have the form of an application password',
    })
    .meta({ minLength: MIN_PASSWORD_LENGTH }),
);

/** The subject by which a provider knows a person. */
export const subject = lazy(() =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(MAX_SUBJECT, `must be at most ${MAX_SUBJECT} characters long`)
    .refine(isSubject, 'must be without control characters'),
);

const NO_KEY_NAME = 'must be 1 to 64 characters, without spaces at the start or end';

/** The name of a key in lists. */
export const keyName = lazy(() =>
  z
    .string()
    .regex(new RegExp(`^[^${CONTROLS}]{1,64}$`, 'u'), { error: NO_KEY_NAME, abort: true })
    .refine((text) => text === text.trim(), { error: NO_KEY_NAME })
    .meta({ description: 'The name of the key in lists; without spaces at the start or end', example: 'build server' }),
);

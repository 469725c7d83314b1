import * as z from 'zod';

/** Names as callers send them in forms and paths: RFC 3986 unreserved characters, and not a dot segment. */
export const identifier = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ ~ -, and not "." or ".."');

export const clientId = identifier.meta({ description: 'Client id of the service customer', example: 'acme' });

/** A user name: what fits HTTP Basic (RFC 7617 allows no colon and no control characters), in NFC. */
export const userName = z
  .string()
  .transform((name) => name.normalize('NFC'))
  .pipe(
    z
      .string()
      .regex(
        /^(?!\s)[^\p{Cc}:]{1,128}(?<!\s)$/u,
        'must be 1 to 128 characters without colons, and no spaces around it',
      ),
  )
  .meta({ description: 'The name to sign in with: 1 to 128 characters, no colon', example: 'eve' });

/** A password: anything that can be typed and sent through HTTP Basic. */
export const password = z
  .string()
  .min(1, 'must not be empty')
  .max(1024, 'must be at most 1024 characters long')
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .meta({ description: 'The password to sign in with' });

const MIN_PASSWORD_LENGTH = 8;

/** A password that somebody chooses. */
export const chosenPassword = password
  .refine((text) => text.length >= MIN_PASSWORD_LENGTH, {
    error: `must be at least ${MIN_PASSWORD_LENGTH} characters long`,
  })
  .meta({ minLength: MIN_PASSWORD_LENGTH });

/** What a key is called in lists. */
export const keyName = z
  .string()
  .regex(/^(?!\s)\P{Cc}{1,64}(?<!\s)$/u, 'must be 1 to 64 characters, and no spaces around it')
  .meta({ description: 'What the key is called in lists', example: 'build server' });

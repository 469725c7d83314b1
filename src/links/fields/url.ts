import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { fault, textUpTo } from '../../input/validation.ts';
import { MAX_HREF_CHARACTERS, MAX_URL_CHARACTERS } from '../destinations/web-url.ts';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';

/** The rules for every URL that visitors are sent to. */
export const targetUrl = lazy(() => targetOf(textUpTo(MAX_URL_CHARACTERS)));

/** A target in the form of the service, in which percent-encoding may have made it longer than what was sent. */
export const storedUrl = lazy(() =>
  targetOf(
    z
      .string()
      .refine((text) => text.length <= MAX_HREF_CHARACTERS && writtenLength(text) <= MAX_URL_CHARACTERS, {
        error: `must be at most ${MAX_URL_CHARACTERS} characters long`,
        ...fault('too_long'),
        abort: true,
      })
      .meta({ maxLength: MAX_HREF_CHARACTERS }),
  ),
);

export const urlField = field({
  label: 'Destination',
  ...VISITOR_FIELDS.url,
  description: 'The destination URL, as the URL standard serialises it, which is more than RFC 3986 allows',
  isPublished: true,
  // The list searches it separately, since the text is percent-encoded.
  isSearched: false,
  destinationsIn: 'itself',
  schemas: () => ({ create: targetUrl(), edit: storedUrl(), row: storedUrl() }),
});

function targetOf(text: z.ZodString) {
  return text
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an absolute http or https URL, such as https://example.com/page',
      abort: true,
    })
    .transform((text) => new URL(text))
    .refine((target) => target.username === '' && target.password === '', {
      error: 'must not contain a user name or a password',
      abort: true,
    })
    .refine((target) => target.href.length <= MAX_HREF_CHARACTERS, {
      error: `must be at most ${MAX_HREF_CHARACTERS} characters long once it is percent-encoded`,
      ...fault('too_long'),
    })
    .meta({ description: 'URL to be encoded: absolute, http or https', example: 'https://example.com/page' });
}

// How many characters a target may have had when it was written. A character of several bytes is several escapes, and
// only that of the first byte counts. Not counted are the letters that punycode adds to a host, and a slash
// between host and query.
function writtenLength(text: string): number {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(text) ?? [];
  const rest = text.slice(origin.length);
  const path = origin === '' ? rest : rest.replace(/^\/(?=[?#]|$)/, '');
  const written = (origin.replace(/xn--[a-z0-9-]+/gi, '') + path)
    .replace(/%[89AB][0-9A-F]/gi, '')
    .replace(/%[0-9A-F]{2}/gi, '%');
  return Array.from(written).length;
}

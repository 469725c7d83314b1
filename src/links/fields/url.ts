import * as z from 'zod';
import { $constructor } from 'zod/v4/core';
import { lazy } from '../../isolate/lazy.ts';
import { fault, schemesOf } from '../../input/validation.ts';
import { textUpTo } from '../../input/schemas.ts';
import { isForbiddenScheme, NO_SCHEMES, type Schemes } from '../../network/schemes.ts';
import { complaintOn, otherScheme } from '../destinations/typing-errors.ts';
import { isLikeHost, schemeOf, withScheme } from '../destinations/with-scheme.ts';
import { MAX_URL_CHARACTERS, WEB_URL } from '../destinations/web-url.ts';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';

/** The rules for URLs of the web that visitors are sent to. `refuseTypingErrors` has more for those newly typed. */
export const targetUrl = lazy(() =>
  urlOf('http or https', (text) => [withScheme(text), complaintOnText(withScheme(text), NO_SCHEMES)]),
);

/** `targetUrl` for destinations, which may have another scheme. */
export const destinationUrl = lazy(() =>
  urlOf('http or https, or a scheme that the operator has named', (typed, schemes) => {
    const text = withScheme(typed, schemes);
    if (!isOtherUrl(text, schemes)) return [text, complaintOnText(text, schemes)];
    const whole = withoutSpaces(text);
    return [whole, complaintOnOther(whole)];
  }),
);

/** Reads a typed text: returns it with its scheme, and what is wrong with it. */
type TextReader = (typed: string, schemes: Schemes) => readonly [text: string, complaint: string | null];

/** A transform by `read`: the function of Zod's own transforms gets no context, which has the operator's schemes. */
function transformBy(read: TextReader): z.ZodTransform<string, string> {
  const Transform = $constructor<z.ZodTransform<string, string>>('ReadText', (schema, definition) => {
    z.ZodTransform.init(schema, definition);
    const { _zod: internals } = schema;
    internals.parse = (payload, context) => {
      const [text, complaint] = read(String(payload.value), schemesOf(context));
      payload.value = text;
      if (complaint !== null)
        payload.issues.push({ code: 'custom', message: complaint, input: text, inst: schema, continue: false });
      return payload;
    };
  });
  return new Transform({ type: 'transform', transform: String });
}

const urlOf = (schemes: string, read: TextReader) =>
  textUpTo(MAX_URL_CHARACTERS)
    .pipe(
      transformBy((typed, named) =>
        WEB_URL.test(typed) ? [typed, complaintOnText(typed, named)] : read(typed, named),
      ),
    )
    .transform((text) => new URL(text))
    .refine((target) => target.username === '' && target.password === '', {
      error: 'must not contain a user name or a password',
      abort: true,
    })
    .refine((target) => target.href.length <= MAX_URL_CHARACTERS, {
      error: `must be at most ${MAX_URL_CHARACTERS} characters long once it is percent-encoded`,
      ...fault('too_long'),
    })
    .meta({
      description: `URL to be encoded: ${schemes}; https:// where it is left out`,
      example: 'https://example.com/page',
    });

/** The schemas of a field with a page of the web, as the API document describes it. */
export function webPageSchemas(meta: {
  readonly description: string;
  readonly example: string;
  readonly brief?: string;
}) {
  const url = targetUrl().meta(meta);
  return { create: url, edit: url, row: url };
}

export const urlField = field({
  label: 'Destination',
  ...VISITOR_FIELDS.url,
  description: 'The destination URL, as the URL standard serialises it, which is more than RFC 3986 allows',
  isPublished: true,
  // The list searches it separately, since the text is percent-encoded.
  isSearched: false,
  destinationsIn: 'itself',
  schemas: () => ({ create: destinationUrl(), edit: destinationUrl(), row: destinationUrl() }),
});

const HOST = /^(?:[a-z][a-z\d+.-]*:)?[/\\]*([^/?#\\]*)/i;
// The URL parser normalises a host in quadratic time, unless it is plain ASCII without punycode.
const MAX_HOST_CHARACTERS = 2048;

const WITH_LINE_END = 'must not have tabs or line ends inside: remove them';
const NOT_A_URL = 'must be an absolute http or https URL, such as https://example.com/page';

function complaintOnText(text: string, schemes: Schemes): string | null {
  // The URL parser would leave them out without a word.
  if (/[\t\r\n]/.test(text)) return WITH_LINE_END;
  const [, host = ''] = HOST.exec(text) ?? [];
  if (host.length > MAX_HOST_CHARACTERS && /%|[^!-~]|xn--/i.test(host)) return NOT_A_URL;
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return null;
  const isHost = isLikeHost(text, schemes);
  const scheme = isHost ? null : schemeOf(text);
  if (scheme !== null && !isWebScheme(scheme)) return otherScheme(scheme);
  const asHost = isHost ? URL.parse(`https://${text}`) : null;
  return (asHost && complaintOn(asHost)) ?? NOT_A_URL;
}

const isWebScheme = (scheme: string) => /^https?$/.test(scheme);

function isOtherUrl(text: string, schemes: Schemes): boolean {
  const scheme = isLikeHost(text, schemes) ? null : schemeOf(text);
  return scheme !== null && !isWebScheme(scheme) && !isForbiddenScheme(scheme);
}

// RFC 3966 and RFC 5724, without parameters, which telephones read as commands.
const NUMBER = /^(?=.*\d)[\d+.()-]+$/;

function complaintOnOther(text: string): string | null {
  if (/[\t\r\n]/.test(text)) return WITH_LINE_END;
  const [scheme = '', rest = ''] = text.split(/:(.*)/s);
  if (/^(?:tel|sms)$/i.test(scheme)) return NUMBER.test(rest) ? null : 'must be a number, such as tel:+15551234';
  const { href = '' } = URL.parse(text) ?? {};
  return rest !== '' && /^[!-~]+$/.test(href) ? null : `must be a URL, such as ${scheme.slice(0, 40).toLowerCase()}:…`;
}

// People write numbers with spaces. Elsewhere a space would end the header that names the destination.
function withoutSpaces(text: string): string {
  if (!text.includes(' ')) return text;
  return /^(?:tel|sms):/i.test(text) ? text.replaceAll(' ', '') : text.replaceAll(' ', '%20');
}

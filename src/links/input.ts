import * as z from 'zod';
import { clientId, identifier } from '../accounts/names.ts';
import { isOwnTarget, parseDomainName, type Site } from '../domains/host.ts';
import { AppError } from '../errors.ts';
import { fault, parseFields, textUpTo, type Fields } from '../validation.ts';

const MAX_URL_CHARACTERS = 2048;
const MAX_HREF_CHARACTERS = 8192;
const MAX_CAMPAIGN_CHARACTERS = 128;
const MAX_METADATA_BYTES = 4096;

const url = textUpTo(MAX_URL_CHARACTERS)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'must be an absolute http or https URL, such as https://example.com/page',
    abort: true,
  })
  .transform((text) => new URL(text))
  .refine((target) => target.username === '' && target.password === '', {
    error: 'must not carry a user name or a password',
    abort: true,
  })
  .refine((target) => target.href.length <= MAX_HREF_CHARACTERS, {
    error: `must be at most ${MAX_HREF_CHARACTERS} characters long once it is percent-encoded`,
    ...fault('too_long'),
  })
  .meta({ description: 'URL to be encoded', example: 'https://example.com/page' });

const campaignName = textUpTo(MAX_CAMPAIGN_CHARACTERS)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .meta({ description: 'Campaign name', example: 'Spring 2026' });

const customDomain = z
  .string()
  .transform(parseDomainName)
  .refine((host) => host !== null, { error: 'must be a host name, such as go.example.com' })
  .meta({ description: 'Custom domain for the short link', example: 'go.example.com' });

const metadata = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length <= MAX_METADATA_BYTES, {
    error: `must be at most ${MAX_METADATA_BYTES} bytes long`,
    ...fault('too_long'),
    abort: true,
  })
  .refine(isJson, { error: 'must be a JSON text, such as {"team":"web"}' })
  .meta({ description: 'Metadata given as a JSON text', example: '{"team":"web"}' });

const secId = identifier.meta({ description: 'Secondary link id', example: 'print-2026' });

/** The form of `POST /v1/links` and of `POST /shortener/encode`. */
export const newLinkFields = z.strictObject({
  url,
  client_id: clientId,
  campaign_name: campaignName.optional(),
  custom_domain: customDomain.optional(),
  metadata: metadata.optional(),
  sec_id: secId.optional(),
});

/** A link that is asked for: valid in itself, not yet judged against what is stored. */
export type NewLink = z.output<typeof newLinkFields>;

/**
 * Reads the fields of a new link. Throws the first fault of the form, among them `own_host` for a target that is known
 * to be the service's own without asking the database, which looks for custom domains too.
 */
export function parseNewLink(fields: Fields, site: Site): NewLink {
  const input = parseFields(newLinkFields, fields);
  if (isOwnTarget(input.url, site)) throw ownHost();
  return input;
}

export function ownHost(): AppError {
  return new AppError('own_host', 'url points to a host of this service, which would send visitors in circles.');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

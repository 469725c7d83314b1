import * as z from 'zod';
import { countryOf } from '../../text/countries.ts';
import { findRegion } from '../routes/conditions/region-code.ts';
import { lazy } from '../../isolate/lazy.ts';
import { parseFields, type Fields } from '../../input/validation.ts';
import { instant, textUpTo } from '../../input/schemas.ts';

// More than browsers send.
const MAX_HEADER = 1000;
// More than a short URL needs.
const MAX_URL = 2048;
// ISO 3166-2.
const MAX_REGION = 6;
// IPv6 with an IPv4 address in it.
const MAX_ADDRESS = 45;

const country = () =>
  textUpTo(2)
    .transform(countryOf)
    .refine((code) => code !== null, { error: 'must be the code of a country (ISO 3166-1 alpha-2) such as DE' })
    .meta({ description: 'The country of the visitor (ISO 3166-1 alpha-2), case-insensitive', example: 'DE' });

const region = () =>
  textUpTo(MAX_REGION)
    .transform(findRegion)
    .refine((code) => code !== null, { error: 'must be the code of a region (ISO 3166-2) such as US-TX' })
    .meta({
      description: 'The region of the visitor (ISO 3166-2), case-insensitive; its country is that of the visitor',
      example: 'US-TX',
    });

const address = () =>
  textUpTo(MAX_ADDRESS).refine(isAddress, { error: 'must be an IP address such as 192.0.2.1 or 2001:db8::1' }).meta({
    description: 'The IP address of the visitor, which rules compare and by which variants are chosen',
    example: '192.0.2.1',
  });

const referrer = () =>
  textUpTo(MAX_URL)
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an absolute http or https URL, such as https://example.com/page',
    })
    .meta({
      description: 'The URL of the page that the visitor comes from',
      example: 'https://news.example.com/today',
    });

/** The facts that a caller gives about a visitor. What is left out is not known of the visitor. */
export const previewVisit = lazy(() =>
  z
    .strictObject({
      country: country().optional(),
      region: region().optional(),
      address: address().optional(),
      language: textUpTo(MAX_HEADER)
        .meta({ description: 'The header `Accept-Language`', example: 'de-AT, en;q=0.7' })
        .optional(),
      user_agent: textUpTo(MAX_HEADER)
        .meta({ description: 'The header `User-Agent`; without it, a visitor is a program' })
        .optional(),
      referrer: referrer().optional(),
      query: textUpTo(MAX_URL)
        .meta({ description: 'The query of the short URL, with or without its `?`', example: '?ref=poster' })
        .optional(),
      path: textUpTo(MAX_URL)
        .meta({ description: 'What follows the slug in the short URL, with or without its first slash' })
        .optional(),
      at: instant().optional().meta({ description: 'The time of the visit; now if left out' }),
    })
    .refine(({ country, region }) => country == null || region == null || region.startsWith(`${country}-`), {
      error: 'must be a region of the country',
      path: ['region'],
    }),
);

/** `at` is in milliseconds since the epoch. */
export type PreviewVisit = z.output<ReturnType<typeof previewVisit>>;

/** Throws `invalid_` and the name of a field, `too_long`, `unknown_field`. */
export function parsePreviewVisit(fields: Fields): PreviewVisit {
  return parseFields(previewVisit(), fields);
}

function isAddress(text: string): boolean {
  if (text.includes(':')) return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
  return URL.parse(`http://${text}`)?.hostname === text && /^\d+(?:\.\d+){3}$/.test(text);
}

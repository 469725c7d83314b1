import * as z from 'zod';
import { clientId, identifier } from '../accounts/names.ts';
import { composed } from '../composed.ts';
import { parseDomainName, type Site } from '../hosts.ts';
import { refuseOwnTarget } from '../targets/own-hosts.ts';
import type { LinkChange } from './link.ts';
import { LINK_STATES } from './managed.ts';
import { metadata, metadataOrValue } from './metadata.ts';
import { AppError } from '../errors.ts';
import { pageFields } from '../pagination.ts';
import { faultOfNewSlug, MOST_UNITS_OF_SLUG, parseSlug, SLUG_RULE } from './slug.ts';
import { fault, futureInstant, instant, parseFields, textUpTo, WITHOUT_CONTROLS, type Fields } from '../validation.ts';

const MAX_URL_CHARACTERS = 2048;
const MAX_HREF_CHARACTERS = 8192;
const MAX_CAMPAIGN_CHARACTERS = 128;
/** How many links one batch may have. */
export const MAX_BATCH_LINKS = 100;

const targetOf = (text: z.ZodString) =>
  text
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
    .meta({ description: 'URL to be encoded: absolute, http or https', example: 'https://example.com/page' });

const url = targetOf(textUpTo(MAX_URL_CHARACTERS));

/** A target as the service shows it: what its maker need not have written makes it no longer. */
export const storedUrl = targetOf(
  z
    .string()
    .refine((text) => text.length <= MAX_HREF_CHARACTERS && writtenLength(text) <= MAX_URL_CHARACTERS, {
      error: `must be at most ${MAX_URL_CHARACTERS} characters long`,
      ...fault('too_long'),
      abort: true,
    })
    .meta({ maxLength: MAX_HREF_CHARACTERS }),
);

const campaignName = textUpTo(MAX_CAMPAIGN_CHARACTERS)
  .regex(WITHOUT_CONTROLS, 'must not contain control characters')
  .meta({ description: 'Campaign name, without control characters', example: 'Spring 2026' });

const customDomain = z
  .string()
  .transform(parseDomainName)
  .refine((host) => host !== null, { error: 'must be a host name, such as go.example.com' })
  .meta({ description: 'Custom domain for the short link', example: 'go.example.com' });

const secId = identifier.meta({ description: 'Secondary link id; neither `.` nor `..`', example: 'print-2026' });

// Accepts every slug that a link may have. `refuseUnfitSlug` judges whether it may be chosen, once its host is known.
const slug = z
  .string()
  .transform((text) => parseSlug(text, { onDomain: true }))
  .refine((text) => text !== null, { error: SLUG_RULE })
  .meta({
    description:
      'The path of the short link: 1 to 64 letters, digits, `-` and `_` of any script; on a custom domain also dots, emoji ' +
      'and up to 4 segments with `/` between. Chosen for you if left out.',
    example: 'spring-sale',
    // The pattern excludes ASCII characters only, since some regular expression dialects cannot name the letters of all
    // scripts.
    pattern: String.raw`^[^\x00-\x2c\x3a-\x40\x5b-\x5e\x60\x7b-\x9f]+$`,
  });

const expiresAt = futureInstant.meta({ description: 'When the link ends', example: '2027-01-01T00:00:00Z' });

/** The rules for whatever a visitor may be sent to. */
export { url as targetUrl };

/** The form of `POST /shortener/encode`, and what `POST /v1/links` takes of old. */
export const encodeFields = z.strictObject({
  url,
  client_id: clientId,
  campaign_name: campaignName.optional(),
  custom_domain: customDomain.optional(),
  metadata: metadata.optional(),
  sec_id: secId.optional(),
});

/** The fields of `POST /v1/links`. */
export const newLinkFields = encodeFields.extend({ slug: slug.optional(), expires_at: expiresAt.optional() });

/**
 * The same in JSON, where the client may be left out if the credential has only one, and metadata may be a JSON value.
 */
export const newLinkJsonFields = newLinkFields.extend({
  client_id: clientId
    .optional()
    .meta({ description: 'Client id of the service customer; may be left out if the credential has only one client' }),
  metadata: metadataOrValue.optional(),
});

/**
 * The fields of a create with an `Idempotency-Key`. An `expires_at` in the past is accepted here, since it may have
 * passed since the first request: the kept answer comes before that error.
 */
export const repeatable = (fields: typeof newLinkFields | typeof newLinkJsonFields): z.ZodType<NewLink> =>
  fields === newLinkFields ? repeatableForm : repeatableJson;
const repeatableForm = newLinkFields.extend({ expires_at: instant.optional() });
const repeatableJson = newLinkJsonFields.extend({ expires_at: instant.optional() });

/** The body of `POST /v1/links/batch`, with what stands for each link. */
export const newLinksOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    links: z
      .array(item)
      .min(1, 'must hold at least one link')
      .max(MAX_BATCH_LINKS, `must hold at most ${MAX_BATCH_LINKS} links`)
      .meta({ description: 'The links to make' }),
  });

/** Each link is parsed by itself, so that a fault of one is no fault of the others. */
export const newLinksFields = newLinksOf(z.record(z.string(), z.unknown()));

/**
 * Refuses a body of `POST /v1/links/batch` in which some list is longer than that of the links may be. Throws the error
 * that parsing it would throw.
 */
export function refuseLongList(field: string): never {
  const items = Array.from({ length: MAX_BATCH_LINKS + 1 }, () => ({}));
  parseFields(newLinksFields, { links: [{}], [field]: items });
  throw new TypeError('a batch has a list that may be longer than that of its links');
}

/** The query of a list of links, besides the client. */
export const listFields = {
  campaign_name: z.string().optional().meta({ description: 'Links of this campaign' }),
  sec_id: z.string().optional().meta({ description: 'Links of this secondary id' }),
  custom_domain: customDomain.optional().meta({ description: 'Links on this custom domain' }),
  slug: z
    .string()
    .transform((text) => composed(text, MOST_UNITS_OF_SLUG))
    .refine((text) => text !== null, { error: 'must be at most 64 characters long', ...fault('too_long') })
    .optional()
    .meta({
      description:
        'The link that this slug leads to, in exactly this case; on any of your hosts if custom_domain is left out',
    }),
  url: storedUrl
    .transform(({ href }) => href)
    .optional()
    .meta({ description: 'Links to this target, given as a whole URL; other spellings of the same URL are found too' }),
  state: z
    .enum(LINK_STATES, { error: `must be one of ${LINK_STATES.join(', ')}` })
    .optional()
    .meta({ description: 'Links in this state; all but deleted ones if left out' }),
  q: textUpTo(200).optional().meta({ description: 'A part of the target or of the slug' }),
  ...pageFields,
};

/** The fields of `PATCH /v1/links/{id}`: what is absent stays, null clears. */
export const editFields = z.strictObject({
  url: storedUrl.optional(),
  slug: slug.optional(),
  sec_id: secId.optional(),
  campaign_name: campaignName.min(1, 'must not be empty: null clears it').nullable().optional(),
  metadata: metadataOrValue
    .nullable()
    .meta({ description: 'Metadata, as a JSON text or as the value itself; null clears it' })
    .optional(),
  expires_at: expiresAt.nullable().optional(),
  disabled: z.boolean().optional().meta({ description: 'Whether the link answers 410 for the time being' }),
  aliases: z.array(z.string()).optional().meta({ description: 'Those of the aliases that stay' }),
});

/** A link that is asked for: valid in itself, not yet judged against what is stored. */
export type NewLink = z.output<typeof newLinkJsonFields>;

/**
 * Reads the fields of a new link. Throws the first fault of the form, among them `own_host` for a target that is known
 * to be the service's own without asking the database, which looks for custom domains too.
 */
export function parseNewLink(fields: Fields, site: Site, schema: z.ZodType<NewLink>): NewLink {
  const input = parseFields(schema, fields);
  if (input.slug != null) refuseUnfitSlug(input.slug, input.custom_domain ?? null);
  refuseOwnTarget(input.url, site);
  return input;
}

/** Refuses a slug that may not be chosen. Throws `invalid_slug`. */
export function refuseUnfitSlug(slug: string, customDomain: string | null): void {
  const fault = faultOfNewSlug(slug, customDomain);
  if (fault !== null) throw unfit('slug', fault);
}

/** @param field `slug`, or `aliases` with the index of the alias */
export function unfit(field: string, complaint: string): AppError {
  const [name = ''] = field.split('.');
  const detail = `${field} ${complaint}.`;
  const faults = [{ field: name, sentence: `This ${complaint}.`, detail }];
  return new AppError(name === 'slug' ? 'invalid_slug' : 'invalid_aliases', detail, { faults });
}

/** Reads an edit. Throws the first fault, as above. */
export function parseLinkChange(fields: Fields, site: Site): LinkChange {
  const {
    url: target,
    sec_id,
    campaign_name,
    expires_at,
    ...rest
  } = parseFields(editFields, fields, { emptyIsAbsent: false });
  if (target) refuseOwnTarget(target, site);
  return { ...rest, url: target?.href, secId: sec_id, campaignName: campaign_name, expiresAt: expires_at };
}

/** Reads a stored target once more by today's rules. Throws `invalid_url`, `too_long`, `own_host`. */
export function parseTarget(text: string, site: Site): string {
  const { url: target } = parseFields(z.strictObject({ url: storedUrl }), { url: text });
  refuseOwnTarget(target, site);
  return target.href;
}

// How many characters a target may have had when it was written. One of several bytes is several escapes: those of all but
// its first byte count nothing. Nor do the letters of a host that punycode stands for, or a slash between host and query.
function writtenLength(text: string): number {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(text) ?? [];
  const rest = text.slice(origin.length);
  const path = origin === '' ? rest : rest.replace(/^\/(?=[?#]|$)/, '');
  const written = (origin.replace(/xn--[a-z0-9-]+/gi, '') + path)
    .replace(/%[89AB][0-9A-F]/gi, '')
    .replace(/%[0-9A-F]{2}/gi, '%');
  return Array.from(written).length;
}

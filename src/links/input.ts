import * as z from 'zod';
import { clientId } from '../accounts/users/names.ts';
import { normalizeBounded } from '../text/nfc.ts';
import { AppError } from '../errors.ts';
import type { Site } from '../network/hosts.ts';
import { lazy } from '../isolate/lazy.ts';
import { pageFields } from '../input/pagination.ts';
import { fault, parseFields, type Fields } from '../input/validation.ts';
import { instant, textUpTo } from '../input/schemas.ts';
import { destinationsOf, refuseOwnDestinations, refuseTypingErrors } from './destinations/destinations.ts';
import { isOnWeb } from './destinations/web-url.ts';
import { schemeOf } from './destinations/with-scheme.ts';
import { entryOfInput, SEARCHED_NAMES } from './fields/content.ts';
import { flagSchemas } from './fields/flag.ts';
import { editShape, optionalShape } from './fields/shapes.ts';
import { linkFields, type FieldName } from './fields/table.ts';
import { destinationUrl } from './fields/url.ts';
import type { LinkChange } from './link.ts';
import { LINK_STATES } from './managed-link.ts';
import { foldTag, MAX_TAGS_OF_LINK, trimmedName } from './tags/names.ts';
import { MAX_SLUG_CHARACTERS, MAX_UNITS_OF_SLUG } from './slugs/slug.ts';
import { faultOfNewSlug } from './slugs/new-slug.ts';

/** The most links in one batch. */
export const MAX_BATCH_LINKS = 100;

/** The optional fields of `POST /shortener/encode`, in its order. */
export const ENCODE_NAMES = ['campaign_name', 'custom_domain', 'metadata', 'sec_id'] as const;

/** The form of `POST /shortener/encode`, which never changes. `POST /v1/links` takes these fields first. */
export const encodeFields = lazy(() =>
  z.strictObject({
    url: linkFields.url.schemas().create,
    client_id: clientId(),
    campaign_name: linkFields.campaign_name.schemas().create.optional(),
    custom_domain: linkFields.custom_domain.schemas().create.optional(),
    metadata: linkFields.metadata.schemas().create.optional(),
    sec_id: linkFields.sec_id.schemas().create.optional(),
  }),
);

/** The schemas of the field by which a create may answer with a link that exists. */
export const reuse = lazy(() =>
  flagSchemas({
    description:
      'Whether an active link of the client with the same destination and fields is answered with, instead of a new ' +
      'one; a generated slug and a generated sec_id count as absent',
    brief: 'true for an equal link, if there is one',
    example: true,
  }),
);

/** The fields of `POST /v1/links`. */
export const newLinkFields = lazy(() =>
  encodeFields().extend({
    ...optionalShape('create', keysOf(encodeFields().shape)),
    reuse: reuse().create.optional(),
  }),
);

/** The client of a new link in JSON. */
export const clientIdOfJson = lazy(() =>
  clientId().optional().meta({
    description: 'Client id of the service customer; can be left out if the credential has only one client',
  }),
);

/** `newLinkFields` in JSON, where the client may be left out if there is only one, and some fields accept more. */
export const newLinkJsonFields = lazy(() =>
  newLinkFields().extend({
    client_id: clientIdOfJson(),
    ...optionalShape('createJson', []),
    reuse: reuse().createJson.optional(),
  }),
);

/** The fields of a new link in a list, and of one that may exist already. */
export const itemFields = lazy(() => newLinkJsonFields().omit({ reuse: true }));

/**
 * The fields of a create with an `Idempotency-Key`, by the form. An `expires_at` in the past is accepted here, since it may
 * have passed since the first request: the kept answer comes before that error.
 */
export const repeatableFields = {
  form: lazy(() => newLinkFields().extend({ expires_at: instant().optional() })),
  json: lazy(() => newLinkJsonFields().extend({ expires_at: instant().optional() })),
};

/** The body of `POST /v1/links/batch`, with a schema for each link. */
export const newLinksOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    links: z
      .array(item)
      .min(1, 'must contain at least one link')
      .max(MAX_BATCH_LINKS, `must contain at most ${MAX_BATCH_LINKS} links`)
      .meta({ description: 'The links to create' }),
  });

/** Each link is parsed by itself, so that a fault of one link does not refuse the others. */
export const newLinksFields = lazy(() => newLinksOf(z.record(z.string(), z.unknown())));

/**
 * Refuses a body of `POST /v1/links/batch` with a list that is longer than the list of links may be. Throws the error
 * that parsing it would throw.
 */
export function refuseLongList(field: string): never {
  const items = Array.from({ length: MAX_BATCH_LINKS + 1 }, () => ({}));
  parseFields(newLinksFields(), { links: [{}], [field]: items });
  throw new TypeError('a batch has a list that may be longer than that of its links');
}

/** The query of a list of links, besides the client. */
export const listFields = lazy(() => ({
  campaign_name: z.string().optional().meta({ description: 'Links of this campaign' }),
  sec_id: z.string().optional().meta({ description: 'Links of this secondary id' }),
  external_id: z.string().optional().meta({ description: 'The link with this external id' }),
  tag: z
    .array(z.string())
    .max(MAX_TAGS_OF_LINK, `must be given at most ${MAX_TAGS_OF_LINK} times`)
    .transform((names) => [...new Set(names.map((name) => foldTag(trimmedName(name) ?? '')))])
    .optional()
    .meta({ description: 'Links with this tag (case-insensitive). Can be repeated: links that have all of them' }),
  custom_domain: linkFields.custom_domain
    .schemas()
    .create.optional()
    .meta({ description: 'Links on this custom domain' }),
  slug: z
    .string()
    .transform((text) => normalizeBounded(text, MAX_UNITS_OF_SLUG))
    .refine((text) => text !== null, {
      error: `must be at most ${MAX_SLUG_CHARACTERS} characters long`,
      ...fault('too_long'),
    })
    .optional()
    .meta({
      description:
        'The link that this slug leads to, in exactly this case; on any of your hosts if custom_domain is left out',
    }),
  url: destinationUrl()
    .transform(({ href }) => href)
    .optional()
    .meta({
      description: 'Links to this destination, given as a whole URL; other spellings of the same URL are found too',
    }),
  state: z
    .enum(LINK_STATES, { error: `must be one of ${LINK_STATES.join(', ')}` })
    .optional()
    .meta({ description: 'Links in this state; all except deleted ones if left out' }),
  unhealthy: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .optional()
    .meta({
      description: 'true: active links with an `unhealthy` destination; false: links without one',
      brief: 'Failing checks',
    }),
  q: textUpTo(200)
    .optional()
    .meta({ description: `A part of ${['url', 'slug', ...SEARCHED_NAMES].join(', ')}, regardless of case` }),
  ...pageFields(),
}));

/** The fields of `PATCH /v1/links/{id}`: an absent field stays unchanged, null clears it. */
export const editFields = lazy(() => z.strictObject(editShape()));

/** The parsed fields of a new link. */
export type NewLinkInput = z.output<ReturnType<typeof newLinkJsonFields>>;

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

/** Refuses a filter by a destination whose scheme the operator has not named. Throws `invalid_url`. */
export function refuseOtherScheme(href: string, { schemes }: Site): void {
  if (!isOnWeb(href)) refuseTypingErrors([{ field: 'url', url: new URL(href) }], schemes);
}

/** Reads an edit. Throws the first fault, as `parseNewLink` does. */
export function parseLinkChange(fields: Fields, site: Site): LinkChange {
  const change = parseFields(editFields(), fields, { emptyIsAbsent: false, schemes: site.schemes });
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const changed: LinkChange = Object.fromEntries(given.map(([name, value]) => entryOfInput(name as FieldName, value)));
  refuseOwnDestinations(destinationsOf(changed), site);
  return changed;
}

/** Reads a stored target again under the present rules. Throws `invalid_url`, `too_long`, `own_host`. */
export function parseTarget(text: string, site: Site): string {
  // A stored text has its scheme, also one that the operator has removed from the list since.
  const schemes = new Set([schemeOf(text) ?? '']);
  const { url: target } = parseFields(z.strictObject({ url: destinationUrl() }), { url: text }, { schemes });
  refuseOwnDestinations([{ field: 'url', url: target }], site);
  return target.href;
}

function keysOf<Shape extends object>(shape: Shape): (keyof Shape & string)[] {
  return Object.keys(shape) as (keyof Shape & string)[];
}

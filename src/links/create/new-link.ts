import type * as z from 'zod';
import { AppError } from '../../errors.ts';
import type { Site } from '../../network/hosts.ts';
import type { Destination } from '../../targets/destination.ts';
import { fieldError, parseFields, type Fields } from '../../input/validation.ts';
import { destinationsOf, refuseOwnDestinations, refuseTypingErrors } from '../destinations/destinations.ts';
import { refuseInvalidCombinations, refuseNewRules } from '../fields/combinations.ts';
import { contentOfInput, hasExtras, type NewContent } from '../fields/content.ts';
import { encodeFields, newLinksFields, refuseUnfitSlug, type NewLinkInput } from '../input.ts';
import { newLinkSchema, type Form } from './new-link-schema.ts';

/** A link to be created: valid in itself, not yet checked against the database. */
export interface NewLink {
  /** The parsed fields. */
  readonly input: NewLinkInput;
  readonly content: NewContent;
  /** All URLs that it can lead to, `url` first. */
  readonly destinations: readonly Destination[];
}

interface ReadOptions {
  /** True if the request can be repeated: the repeated one may have an `expires_at` that is over since. */
  readonly isRepeatable?: boolean;
  /**
   * True if the link may exist already: then it is for the verb to check whether its rules and its destinations are new.
   */
  readonly canExist?: boolean;
}

/**
 * Reads the fields of a new link, in a form of `newLinkSchema` or that of `POST /shortener/encode`; in JSON, null means
 * the same as an absent field. Throws the first fault of the form, among them `own_host` for a target on the service's
 * own host. Targets on custom domains are refused by the database.
 */
export function parseNewLink(
  fields: Fields,
  site: Site,
  form: Form | 'encode',
  { isRepeatable = false, canExist = false }: ReadOptions = {},
): NewLink {
  const given = form === 'json' || form === 'item' ? withoutNulls(fields) : fields;
  const schema = form === 'encode' ? encodeFields() : newLinkSchema(form, given, isRepeatable);
  const input: NewLinkInput = parseFields<z.ZodType<NewLinkInput>>(schema, given, site);
  if (input.reuse === true) refuseReuse(input);
  if (input.slug != null) refuseUnfitSlug(input.slug, input.custom_domain ?? null);
  const content = contentOfInput(input);
  if (hasExtras(content)) {
    refuseInvalidCombinations(content, input.custom_domain ?? null);
    if (!canExist) refuseNewRules(content);
  }
  const destinations = destinationsOf(content);
  if (!canExist) refuseTypingErrors(destinations, site.schemes);
  refuseOwnDestinations(destinations, site);
  return { input, content, destinations };
}

// Of a link with one of these, an equal one is another link.
const NOT_REUSABLE = ['slug', 'password', 'max_clicks'] as const;

function refuseReuse(input: NewLinkInput): void {
  const given = NOT_REUSABLE.find((name) => input[name] != null);
  if (given === undefined) return;
  const sentence = `reuse cannot be true with ${given}, which only one link has. Leave one of them out.`;
  throw fieldError('not_reusable', 'reuse', sentence);
}

/** A list of links to be created. */
export interface NewLinks {
  /** An error in place of each link that is not valid. */
  readonly links: readonly (NewLink | AppError)[];
  /** The links as they were sent. */
  readonly sent: readonly Fields[];
}

/** Reads the body of `POST /v1/links/batch`. Throws the faults of the list; those of a link are in its place. */
export function parseNewLinks(body: Fields, site: Site): NewLinks {
  const { links: sent } = parseFields(newLinksFields(), body);
  return { sent, links: sent.map((fields) => attempt(() => parseNewLink(fields, site, 'item'))) };
}

/** True if an item of a list is a link, rather than the error of one. */
export const isLink = <Item extends object>(item: Item | AppError): item is Item => !(item instanceof AppError);

export const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function attempt<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

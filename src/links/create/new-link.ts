import type * as z from 'zod';
import { AppError } from '../../errors.ts';
import type { Site } from '../../network/hosts.ts';
import type { Destination } from '../../targets/destination.ts';
import { parseFields, type Fields } from '../../input/validation.ts';
import { destinationsOf, refuseOwnDestinations } from '../destinations/destinations.ts';
import { refuseInvalidCombinations, refuseNewRules } from '../fields/combinations.ts';
import { contentOfInput, hasExtras, type NewContent } from '../fields/content.ts';
import {
  encodeFields,
  newLinkFields,
  newLinkJsonFields,
  newLinksFields,
  refuseUnfitSlug,
  repeatableFields,
  type NewLinkInput,
} from '../input.ts';

/** A link to be created: valid in itself, not yet checked against the database. */
export interface NewLink {
  /** The parsed fields. */
  readonly input: NewLinkInput;
  readonly content: NewContent;
  /** All URLs that it can lead to, `url` first. */
  readonly destinations: readonly Destination[];
}

/** The forms in which a new link is sent: those of `POST /v1/links`, and that of `POST /shortener/encode`. */
const FORMS = { form: newLinkFields, json: newLinkJsonFields, encode: encodeFields } as const;

interface ReadOptions {
  /** True if the request can be repeated: the repeated one may have an `expires_at` that is over since. */
  readonly isRepeatable?: boolean;
  /** True if a link with these rules may exist already: then it is for the verb to check whether they are new. */
  readonly canExist?: boolean;
}

/**
 * Reads the fields of a new link; in JSON, null means the same as an absent field. Throws the first fault of the form,
 * among them `own_host` for a target on the service's own host. Targets on custom domains are refused by the database.
 */
export function parseNewLink(
  fields: Fields,
  site: Site,
  form: keyof typeof FORMS,
  { isRepeatable = false, canExist = false }: ReadOptions = {},
): NewLink {
  const given = form === 'json' ? withoutNulls(fields) : fields;
  const schema: z.ZodType<NewLinkInput> = isRepeatable && form !== 'encode' ? repeatableFields[form]() : FORMS[form]();
  const input = parseFields(schema, given);
  if (input.slug != null) refuseUnfitSlug(input.slug, input.custom_domain ?? null);
  const content = contentOfInput(input);
  if (hasExtras(content)) {
    refuseInvalidCombinations(content, input.custom_domain ?? null);
    if (!canExist) refuseNewRules(content);
  }
  const destinations = destinationsOf(content);
  refuseOwnDestinations(destinations, site);
  return { input, content, destinations };
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
  return { sent, links: sent.map((fields) => attempt(() => parseNewLink(fields, site, 'json'))) };
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

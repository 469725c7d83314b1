import type { AppError } from '../../errors.ts';
import { fieldError } from '../../input/validation.ts';
import { foldedIn } from './folded-slug-sql.ts';
import { pathKeysOf } from './slug.ts';

/**
 * A link that passes paths on owns what is below its addresses: no other address may be there. Deleted links count until
 * their content is removed, since they can be restored.
 */

/**
 * True if an address is below a link that passes paths on, in SQL.
 *
 * @param keys an expression for `PathKeys`, as JSON
 */
export function isBelowOwner(domainId: string, isCaseSensitive: string, keys: string): string {
  return `EXISTS (
    SELECT 1 FROM json_each(${keys}, '$.above') AS above
    CROSS JOIN addresses upper ON upper.domain_id = ${domainId}
      AND upper.folded IN (${foldedIn(isCaseSensitive, 'above.value')}, above.value ->> 'former')
    CROSS JOIN links owner ON owner.id = upper.link_id WHERE owner.forward_path)`;
}

/** True if there is an address below another one, in SQL. A `0` follows the slash in the order of characters. */
export function hasBelow(domainId: string, folded: string): string {
  return `EXISTS (SELECT 1 FROM addresses lower
    WHERE lower.domain_id = ${domainId} AND lower.folded > ${folded} || '/' AND lower.folded < ${folded} || '0')`;
}

/**
 * True if there is an address below one of a link, in SQL.
 *
 * @param linkId an expression for its id
 */
export function hasBelowLink(linkId: string): string {
  return `EXISTS (SELECT 1 FROM addresses own WHERE own.link_id = ${linkId} AND ${hasBelow('own.domain_id', 'own.folded')})`;
}

/** A link of a list of new ones. */
interface Newcomer {
  readonly slug: string;
  readonly customDomain: string | null;
  readonly forwardPath: boolean | null;
}

/** The paths that the new links of one request take on custom domains, without case. */
export class TakenPaths {
  readonly #owned = new Set<string>();
  readonly #above = new Set<string>();

  /** The error of a further link because of an earlier one, or null; then its paths are taken too. */
  take({ slug, customDomain, forwardPath }: Newcomer): AppError | null {
    if (customDomain === null) return null;
    const { folded, above } = pathKeysOf(slug);
    const at = (key: string) => `${customDomain}/${key}`;
    if (above.some((upper) => this.#owned.has(at(upper.folded)))) return belowOwner(slug);
    if (forwardPath === true && this.#above.has(at(folded))) return pathInUse(slug);
    if (forwardPath === true) this.#owned.add(at(folded));
    for (const upper of above) this.#above.add(at(upper.folded));
    return null;
  }
}

/** The error for an address below a link that passes paths on. */
export function belowOwner(slug: string): AppError {
  const sentence = `slug ${slug} is below a link that forwards its path, which owns all paths below it. Choose another slug.`;
  return fieldError('path_taken', 'slug', sentence);
}

/** The error for a link that is to pass paths on. */
export function pathInUse(slug: string): AppError {
  const sentence = `forward_path cannot be used while other links are below ${slug}. Give those other slugs, or leave it out.`;
  return fieldError('path_taken', 'forward_path', sentence);
}

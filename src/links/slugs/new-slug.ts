import { lazy } from '../../isolate/lazy.ts';
import { readingsOf, UNSEEN, withoutUnseen } from '../../text/look-alikes.ts';
import { skeletonsOf } from '../../text/skeletons.ts';
import { isServedOnEveryHost, RESERVED } from './reserved.ts';
import { parseSlug, PLAIN } from './slug.ts';

/** The rules for slugs that are newly chosen: stricter than those by which links are found, which no redirect may break. */

// Words that look like a page of the service. Existing links keep them.
const KEPT_BESIDES = new Set([
  'callback',
  'log-in',
  'mcp',
  'operator',
  'password',
  'register',
  'report',
  'reset',
  'sso',
  'verify',
]);

// Joiners, selectors and tags are allowed only within emoji that Unicode recommends for general interchange; elsewhere
// they are invisible.
const eachEmoji = lazy(() => new RegExp(String.raw`\p{RGI_Emoji}`, 'gv'));
const visible = lazy(() => new RegExp(String.raw`^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_./-]*$`, 'u'));

/** Why a slug may not be chosen, as the end of a sentence after the field's name; null if it may. */
export function faultOfNewSlug(slug: string, customDomain: string | null): string | null {
  const onDomain = customDomain !== null;
  if (!PLAIN.test(slug)) {
    if (parseSlug(slug, { onDomain }) === null) {
      return onDomain
        ? SLUG_RULE
        : 'must be 1 to 64 letters, digits, "-" or "_"; dots, "/" and emoji need a custom_domain';
    }
    const text = onDomain ? slug.replace(eachEmoji(), '') : slug;
    if (UNSEEN.test(text) || !visible().test(text)) return 'must not contain invisible characters or parts of an emoji';
  }
  if (onDomain) return isServedOnEveryHost(withoutUnseen(slug)) ? IS_SERVED : null;
  return isKeptFromSlugs(slug) ? IS_KEPT : null;
}

const IS_SERVED = 'is a path that every domain serves itself: choose another';
const IS_KEPT = 'is reserved for pages of this service, or looks like a reserved word: choose another';

/** The rule, with everything that is allowed on some host. */
export const SLUG_RULE =
  'must be 1 to 64 letters, digits, "-" or "_", and on a custom domain also dots, emoji and up to 4 segments with "/" between';

const asWord = (skeleton: string) => skeleton.replaceAll('_', '-');
const VERSION = /^v\d+$/;
const IS_ASCII = /^\p{ASCII}*$/u;

/**
 * True if a slug may not be chosen on the service's own host: a reserved word, one that looks like one, or one that
 * could become a version of the API. Stricter than `isReserved`, which routes requests, so that existing links keep
 * working.
 */
function isKeptFromSlugs(slug: string): boolean {
  // The skeleton of a word in ASCII is one of its readings.
  const others = IS_ASCII.test(slug) ? [] : skeletonsOf(slug).all;
  const words = [...readingsOf(slug), ...others].map(asWord);
  return words.some((each) => VERSION.test(each) || RESERVED.has(each) || KEPT_BESIDES.has(each));
}

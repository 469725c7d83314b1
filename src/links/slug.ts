import { customAlphabet } from 'nanoid';
import { composed, MOST_UNITS_OF_CHARACTER } from '../composed.ts';
import { foldCase, UNSEEN } from '../look-alikes.ts';
import { isKeptFromSlugs } from './reserved.ts';

// No vowels, so no words; no characters that are read for another in print. 36^8 is 2.8 · 10^12.
const LEGIBLE = '6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz';

/** A new id for a link, or for a `sec_id` its caller left to us. Whether it is taken, the database says. */
export const newId = customAlphabet(LEGIBLE, 8);

/** What is known of each of them. */
export const MADE_ID = { length: 8, alphabet: LEGIBLE } as const;

/** Whether a text could be an id that the service has made. */
export function isMadeId(text: string): boolean {
  return text.length === MADE_ID.length && Array.from(text).every((character) => LEGIBLE.includes(character));
}

/** The most characters of a slug. With the longest host it still fits into a key of KV, which has 512 bytes. */
export const MAX_SLUG_CHARACTERS = 64;
/** The longest spelling of a slug, in UTF-16 code units. */
export const MOST_UNITS_OF_SLUG = MAX_SLUG_CHARACTERS * MOST_UNITS_OF_CHARACTER;
const MAX_SEGMENTS = 4;

const ON_SERVICE = /^[\p{L}\p{N}\p{M}_-]{1,64}$/u;
const ON_DOMAIN =
  /^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\u{e0020}-\u{e007f}_./-]{1,64}$/u;

/** A slug in NFC as it may be on some host, now or of old; null where it can be none. */
export function parseSlug(text: string, { onDomain }: { readonly onDomain: boolean }): string | null {
  const slug = composed(text, MOST_UNITS_OF_SLUG);
  if (slug === null || !(onDomain ? ON_DOMAIN : ON_SERVICE).test(slug)) return null;
  return !onDomain || hasSegments(slug) ? slug : null;
}

function hasSegments(slug: string): boolean {
  const segments = slug.split('/');
  return segments.length <= MAX_SEGMENTS && segments.every((segment) => !['', '.', '..'].includes(segment));
}

// A sequence with joiners, selectors or tags in it counts where Unicode recommends it for general interchange: elsewhere
// nobody would see them.
const EACH_EMOJI = /\p{RGI_Emoji}/gv;
const VISIBLE = /^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_./-]*$/u;

/** Why a slug may not be chosen, as what follows the field's name; null where it may. */
export function faultOfNewSlug(slug: string, customDomain: string | null): string | null {
  if (parseSlug(slug, { onDomain: customDomain !== null }) === null) {
    return customDomain === null
      ? 'must be 1 to 64 letters, digits, "-" or "_"; dots, "/" and emoji need a custom_domain'
      : SLUG_RULE;
  }
  const text = customDomain === null ? slug : slug.replace(EACH_EMOJI, '');
  if (UNSEEN.test(text) || !VISIBLE.test(text))
    return 'must not contain characters that no reader sees, or a part of an emoji';
  return isKeptFromSlugs(slug) ? 'is a word that is kept for pages of this service, or looks like one' : null;
}

/** What a slug may be where it may be most. */
export const SLUG_RULE =
  'must be 1 to 64 letters, digits, "-" or "_", and on a custom domain also dots, emoji and up to 4 segments with "/" between';

// Two emoji that differ in these look alike; joiners and tags make others of them.
const EACH_SELECTOR = /[\p{Default_Ignorable_Code_Point}--[\u200d\u{e0020}-\u{e007f}]]/gv;

/** What tells the addresses of a host apart: no two of a host have the same. */
export interface SlugKeys {
  /** Without case: what people would not tell apart. */
  readonly folded: string;
  /** The same on domains that tell cases apart. */
  readonly exact: string;
  /** Where else it may stand, since ẞ was not always folded to ss, and selectors counted; null for nearly all. */
  readonly former: string | null;
}

export function keysOf(slug: string): SlugKeys {
  const exact = slug.replace(EACH_SELECTOR, '');
  const folded = foldSlug(exact);
  const former = slug.toUpperCase().toLowerCase().normalize('NFC');
  return { folded, exact, former: former === folded ? null : former };
}

/** A slug, or a part of one, without case and without variation selectors. */
export function foldSlug(slug: string): string {
  return foldCase(slug.replace(EACH_SELECTOR, ''));
}

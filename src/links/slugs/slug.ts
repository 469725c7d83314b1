import { customAlphabet } from 'nanoid';
import { normalizeBounded, MAX_UNITS_OF_CHARACTER } from '../../text/nfc.ts';
import { lazy } from '../../isolate/lazy.ts';
import { foldCase } from '../../text/look-alikes.ts';

// No vowels, so no words; no characters that look alike in print. 36^8 is 2.8 · 10^12.
const LEGIBLE = '6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz';

/** The form of generated ids. */
export const GENERATED_ID = { length: 8, alphabet: LEGIBLE } as const;

const draw = customAlphabet(LEGIBLE, GENERATED_ID.length);

/** A new id for a link, or for a `sec_id` that the caller left out. The database decides whether it is taken. */
export const newId = (): string => draw();

/** The numbers of characters of generated slugs that a workspace can choose for the service's own host. */
export const SHARED_SLUG_LENGTHS = { least: 7, most: 16 } as const;

/** The numbers of characters of generated slugs that can be chosen for a custom domain, which has fewer links. */
export const DOMAIN_SLUG_LENGTHS = { least: 5, most: 16 } as const;

/** The number of taken slugs after which each further one is a character longer, since few short ones may be left. */
const MAX_OF_LENGTH = 3;

/**
 * A slug for a link without a chosen one. It is the id where both have the same length.
 *
 * @param length the number of characters on its host
 * @param taken the number of slugs that were drawn for the link before, and were taken
 */
export function newSlug(id: string, length: number, taken: number): string {
  const size = length + Math.max(0, taken + 1 - MAX_OF_LENGTH);
  return size === id.length ? id : draw(size);
}

/** True if a text has the form of a generated id. */
export function isGeneratedId(text: string): boolean {
  return text.length === GENERATED_ID.length && isLegible(text);
}

/** True if the slug of a link has the form of a generated one. */
export function hasGeneratedSlug({ id, slug }: { readonly id: string; readonly slug: string }): boolean {
  const { least, most } = DOMAIN_SLUG_LENGTHS;
  return slug === id || (slug.length >= least && slug.length <= most && isLegible(slug));
}

const isLegible = (text: string) => Array.from(text).every((character) => LEGIBLE.includes(character));

/** The most characters of a slug. With the longest host it still fits into a KV key, which has 512 bytes. */
export const MAX_SLUG_CHARACTERS = 64;
/** The most UTF-16 code units of a slug before it is composed. */
export const MAX_UNITS_OF_SLUG = MAX_SLUG_CHARACTERS * MAX_UNITS_OF_CHARACTER;
const MAX_SEGMENTS = 4;

/** The form of most slugs: valid on every host, in NFC, and visible. */
export const PLAIN = /^[\w-]{1,64}$/;

// Few slugs need these expressions, and V8 parses their classes as the Worker loads if they are literals.
const serviceSlug = lazy(() => new RegExp(String.raw`^[\p{L}\p{N}\p{M}_-]{1,64}$`, 'u'));
const domainSlug = lazy(
  () =>
    new RegExp(
      String.raw`^[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\u{e0020}-\u{e007f}_./-]{1,64}$`,
      'u',
    ),
);

/** A slug in NFC, by the rule for all slugs that exist or may be chosen; null if it breaks that rule. */
export function parseSlug(text: string, { onDomain }: { readonly onDomain: boolean }): string | null {
  if (PLAIN.test(text)) return text;
  const slug = normalizeBounded(text, MAX_UNITS_OF_SLUG);
  if (slug === null || !(onDomain ? domainSlug() : serviceSlug()).test(slug)) return null;
  return !onDomain || hasSegments(slug) ? slug : null;
}

/** A slug in NFC that a link may have on some host; null if it is none. */
export const parseStoredSlug = (text: string): string | null => parseSlug(text, { onDomain: true });

function hasSegments(slug: string): boolean {
  const segments = slug.split('/');
  return segments.length <= MAX_SEGMENTS && segments.every((segment) => !['', '.', '..'].includes(segment));
}

// Emoji that differ only in these look alike. Joiners and tags are kept, as they make a different emoji.
const EACH_SELECTOR = /[\p{Default_Ignorable_Code_Point}--[\u200d\u{e0020}-\u{e007f}]]/gv;

/** The keys that are unique among the addresses of a host. */
interface SlugKeys {
  /** Without case. */
  readonly folded: string;
  /** With case, for case-sensitive domains. */
  readonly exact: string;
  /**
   * The key by an earlier version, which did not fold ẞ to ss and kept selectors; null if it is the same, as for nearly
   * all.
   */
  readonly former: string | null;
}

export function keysOf(slug: string): SlugKeys {
  if (PLAIN.test(slug)) return { folded: slug.toLowerCase(), exact: slug, former: null };
  // A capital letter that looks like its small letter, so it is folded on every host.
  const exact = slug.replace(EACH_SELECTOR, '').replaceAll('ẞ', 'ß');
  const folded = foldSlug(exact);
  const former = slug.toUpperCase().toLowerCase().normalize('NFC');
  return { folded, exact, former: former === folded ? null : former };
}

/** A slug, or a part of one, without case and without variation selectors. */
export function foldSlug(slug: string): string {
  return foldCase(slug.replace(EACH_SELECTOR, ''));
}

/** The keys of a slug and of those above it, for SQL. */
export interface PathKeys extends SlugKeys {
  /** The keys of `a` and `a/b` for `a/b/c`. */
  readonly above: readonly SlugKeys[];
}

export function pathKeysOf(slug: string): PathKeys {
  const segments = slug.split('/');
  const above = segments.slice(1).map((_, index) => keysOf(segments.slice(0, index + 1).join('/')));
  return { ...keysOf(slug), above };
}

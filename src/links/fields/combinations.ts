import { fieldError } from '../../input/validation.ts';
import { STORED_NAMES, type NewContent } from './content.ts';
import { propertyOf } from './property.ts';
import { linkFields } from './table.ts';
import { refuseSharedNames } from '../routes/names.ts';
import { refuseManyZones } from '../routes/zones.ts';

/**
 * Rules for fields that depend on each other. They hold for the whole link, whichever fields a request sets. A link
 * without extras (`hasExtras`) follows them all.
 */

/** The most bytes of the lists and objects of a link, as JSON in UTF-8. */
export const MAX_JSON_BYTES = 16 * 1024;

const JSON_FIELDS = STORED_NAMES.filter(
  (name) => linkFields[name].stored === 'json' && linkFields[name].visitorsNeed === 'if_set',
).map((name) => ({ name, property: propertyOf(name) as keyof NewContent }));

/**
 * Refuses a link whose fields do not go together. Throws `invalid_starts_at`, `invalid_forward_path`, `invalid_rules`,
 * `invalid_variants`, `too_long`.
 *
 * @param edited the fields that the request has changed, which errors name; without it, `refuseNewRules` is for the caller
 */
export function refuseInvalidCombinations(
  content: NewContent,
  customDomain: string | null,
  edited?: ReadonlySet<string>,
): void {
  const { startsAt, expiresAt, forwardPath, rules, variants } = content;
  if (startsAt !== null && expiresAt !== null && startsAt >= expiresAt) {
    throw fieldError('invalid_starts_at', 'starts_at', 'starts_at must be before expires_at.');
  }
  if (forwardPath === true && customDomain === null) {
    throw fieldError('invalid_forward_path', 'forward_path', 'forward_path needs a custom_domain.');
  }
  if (rules !== null && variants !== null) {
    refuseSharedNames(
      JSON.parse(rules),
      JSON.parse(variants),
      edited?.has('variants') === false ? 'rules' : 'variants',
    );
  }
  refuseSize(content);
  if (edited?.has('rules')) refuseNewRules(content);
}

/** Refuses rules that may not be written, though stored ones keep working. Throws `invalid_rules`. */
export function refuseNewRules({ rules }: Pick<NewContent, 'rules'>): void {
  if (rules !== null) refuseManyZones(JSON.parse(rules));
}

function refuseSize(content: NewContent): void {
  const sizes = JSON_FIELDS.map(({ name, property }) => {
    const text = content[property] as string | null;
    return { name, bytes: text === null ? 0 : Buffer.byteLength(text) };
  });
  const [largest, ...others] = sizes.toSorted((a, b) => b.bytes - a.bytes);
  const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0);
  if (largest === undefined || bytes <= MAX_JSON_BYTES) return;
  const beside = others.filter((other) => other.bytes > 0).map(({ name }) => name);
  const what = [largest.name, ...beside].join(' and ');
  const sentence = `${what} may take at most ${MAX_JSON_BYTES} bytes together, but take ${bytes}.`;
  throw fieldError('too_long', largest.name, sentence);
}

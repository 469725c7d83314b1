import type { AppError } from '../errors.ts';
import { fieldError } from '../validation.ts';
import { propertyOf, STORED_NAMES, type NewContent } from './fields/content.ts';
import { linkFields } from './fields/table.ts';

/** What the fields of a link must be together, whichever of them a request sets. */

/** The most bytes of the lists and objects of a link, as JSON in UTF-8. */
export const MAX_JSON_BYTES = 16 * 1024;

const JSON_NAMES = STORED_NAMES.filter(
  (name) => linkFields[name].stored === 'json' && linkFields[name].visitorsNeed === 'if_set',
);

/** The error of a link whose fields do not go together, or null. */
export function faultTogether(content: NewContent, customDomain: string | null): AppError | null {
  const { startsAt, expiresAt, forwardPath } = content;
  if (startsAt !== null && expiresAt !== null && startsAt >= expiresAt) {
    return fieldError('invalid_starts_at', 'starts_at', 'starts_at must be before expires_at.');
  }
  if (forwardPath === true && customDomain === null) {
    return fieldError('invalid_forward_path', 'forward_path', 'forward_path needs a custom_domain.');
  }
  return faultOfNames(content) ?? faultOfSize(content);
}

function faultOfSize(content: NewContent): AppError | null {
  const sizes = JSON_NAMES.map((name) => {
    const text = content[propertyOf(name) as keyof NewContent] as string | null;
    return { name, bytes: text === null ? 0 : Buffer.byteLength(text) };
  });
  const [largest, ...others] = sizes.toSorted((a, b) => b.bytes - a.bytes);
  const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0);
  if (largest === undefined || bytes <= MAX_JSON_BYTES) return null;
  const beside = others.filter((other) => other.bytes > 0).map(({ name }) => name);
  const what = [largest.name, ...beside].join(' and ');
  const sentence = `${what} may take at most ${MAX_JSON_BYTES} bytes together, but take ${bytes}.`;
  return fieldError('too_long', largest.name, sentence);
}

import { contentHash } from '../../secrets/content-hash.ts';
import type { Fields } from '../../input/validation.ts';
import type { NewLinkInput } from '../input.ts';
import { withoutNulls } from './new-link.ts';

/** Hashes of the content of creates that may be repeated. */

/** @param answer the media type of the answer if it is not the usual one */
export const fingerprintOf = (input: NewLinkInput, response: string | undefined): string =>
  contentHash({ ...withoutPassword(input), answer: response });

/** Of a list of links as they were sent. */
export const fingerprintOfList = (sent: readonly Fields[]): string =>
  contentHash({ links: sent.map(withoutPassword).map(sorted) });

// A hash of a password that anyone could compute would be open to guessing, so only its presence counts.
const withoutPassword = <Content extends { readonly password?: unknown }>({ password, ...content }: Content) =>
  password == null ? content : { ...content, password: true };

const sorted = (fields: Fields) => Object.entries(withoutNulls(fields)).toSorted(([a], [b]) => (a < b ? -1 : 1));

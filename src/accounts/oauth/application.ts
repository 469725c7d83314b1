import { firstCharacters } from '../../text/first-characters.ts';
import { MAX_REDIRECT_URIS, hostOfUri, isRedirectUri } from './redirect-uris.ts';

/** A program that asks a user for access: a client of OAuth, which this house calls an application. */
export interface Application {
  /** Its `client_id`: that of its registration, or the URL of its document. */
  readonly id: string;
  /** Null if it gave none. */
  readonly name: string | null;
  readonly redirectUris: readonly string[];
}

const MAX_NAME = 80;

/**
 * The name that a program gave itself: one line of at most 80 characters, without any that are not seen or change the
 * direction of the text, and without brackets, in which its host stands; null if nothing is left.
 */
export function cleanName(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > 1000) return null;
  const line = given
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Ps}\p{Pe}\p{Zl}\p{Zp}\u2800]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return line === '' ? null : firstCharacters(line, MAX_NAME);
}

/** Reads `redirect_uris`; null unless all are URIs to which a browser may be sent. */
export function readRedirectUris(given: unknown): readonly string[] | null {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_REDIRECT_URIS) return null;
  return given.every((uri): uri is string => typeof uri === 'string' && isRedirectUri(uri)) ? given : null;
}

/**
 * The host that stands beside an application's name: that of its document, which it controls, or else that to which the
 * browser is sent. A self-registered name proves nothing.
 */
export function hostOf({ id }: Pick<Application, 'id'>, redirectUri: string): string {
  return isDocumentUrl(id) ? new URL(id).host : hostOfUri(redirectUri);
}

// As the draft of client id metadata documents: a path, and neither a fragment nor a user.
const DOCUMENT_URL = /^https?:\/\/[^/?#\\@]+\/[!-"$-~]+$/;
const MAX_ID = 1024;

/** True if a `client_id` is the URL of a document. One by http is fetched from the service's own machine alone. */
export function isDocumentUrl(id: string): boolean {
  return id.length <= MAX_ID && DOCUMENT_URL.test(id) && URL.parse(id)?.href === id;
}

import { SignedTexts } from '../../secrets/signed-texts.ts';
import { KNOWN_SECONDS } from '../sessions/lifetime.ts';

/** Browsers in which a user has signed in: they may try a code when too many wrong ones came from elsewhere. */

/** The user of a browser, with the number that ends the browsers known before. */
interface Known {
  readonly userId: string;
  readonly factorVersion: number;
}

const browsersOf = (secrets: readonly string[]) => new SignedTexts(secrets, 'terse known browser');
const textOf = ({ userId, factorVersion }: Known) => JSON.stringify([userId, factorVersion]);

/** The value of the cookie by which a browser is known from now on, after a whole sign-in. */
export const rememberBrowser = (secrets: readonly string[], known: Known): string =>
  browsersOf(secrets).of(textOf(known), Date.now() + KNOWN_SECONDS * 1000);

/** True if a user has signed in in this browser, and has not ended all other sessions or lost their factors since. */
export const isKnownBrowser = (secrets: readonly string[], cookie: string | undefined, known: Known): boolean =>
  cookie !== undefined && browsersOf(secrets).read(cookie, Date.now()) === textOf(known);

import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { hashSecret, randomToken } from '../../secrets/random-secrets.ts';
import { fitsSigned, SignedTexts } from '../../secrets/signed-texts.ts';

/** The reasons for which a browser is sent to a provider; `resume` is a sign-in that shows the person nothing. */
const PURPOSES = ['sign_in', 'confirm', 'test', 'resume'] as const;

const attemptFields = lazy(() =>
  z.strictObject({
    provider: z.string(),
    purpose: z.enum(PURPOSES),
    state: z.string(),
    nonce: z.string(),
    verifier: z.string(),
    next: z.string(),
    /** The session that asks; null for a sign-in. */
    session: z.string().nullable(),
    begunAt: z.number(),
  }),
);

/** An attempt of a browser at a provider, which a cookie of that browser keeps. */
export type Attempt = Readonly<z.output<ReturnType<typeof attemptFields>>>;

/** For how long an attempt, and a sign-in that waits for its person's choice, is kept, in seconds. */
export const ATTEMPT_SECONDS = 10 * 60;

const MAX_NEXT = 300;

const attemptsOf = (secrets: readonly string[]) => new SignedTexts(secrets, 'terse provider attempt');

/** A new attempt: PKCE (RFC 7636), `state` and `nonce`, each of 256 random bits. */
export function newAttempt(
  provider: string,
  { purpose, next, session }: Pick<Attempt, 'purpose' | 'next' | 'session'>,
): Attempt {
  const [state, nonce, verifier] = [randomToken(32), randomToken(32), randomToken(32)];
  const path = next.length <= MAX_NEXT ? next : '/platform';
  return { provider, purpose, state, nonce, verifier, next: path, session, begunAt: Date.now() };
}

/** The attempts of one browser, such as of its tabs, for which a cookie has room. */
const MAX_ATTEMPTS = 3;
const BETWEEN = '~';

/**
 * The value of the cookie that keeps an attempt, and the newest of those that are under way in other tabs.
 *
 * @param cookie that of the browser until now
 */
export function writeAttempt(secrets: readonly string[], attempt: Attempt, cookie: string | undefined): string {
  const written = attemptsOf(secrets).of(JSON.stringify(attempt), attempt.begunAt + ATTEMPT_SECONDS * 1000);
  const others = split(cookie).filter((value) => readOne(secrets, value) !== null);
  return [written, ...others].slice(0, MAX_ATTEMPTS).join(BETWEEN);
}

/**
 * Takes the attempt of a state out of the cookie: null if it has none that is ours and not too old. `others` is the cookie
 * without it.
 */
export function takeAttempt(
  secrets: readonly string[],
  cookie: string | undefined,
  state: string | undefined,
): { readonly attempt: Attempt | null; readonly others: string } {
  const attempts = split(cookie).map((value) => ({ value, attempt: readOne(secrets, value) }));
  const taken = attempts.find(({ attempt }) => attempt !== null && attempt.state === state);
  const others = attempts.filter((one) => one !== taken && one.attempt !== null);
  return { attempt: taken?.attempt ?? null, others: others.map(({ value }) => value).join(BETWEEN) };
}

const split = (cookie: string | undefined): readonly string[] => cookie?.split(BETWEEN, MAX_ATTEMPTS) ?? [];

function readOne(secrets: readonly string[], value: string): Attempt | null {
  const text = attemptsOf(secrets).read(value, Date.now());
  return text === null ? null : attemptFields().parse(JSON.parse(text));
}

/** The challenge of a verifier, `S256`. */
export const challengeOf = (verifier: string): string => hashSecret(verifier);

const unboundFields = lazy(() =>
  z.strictObject({
    /** Random, and spent by the choice. */
    id: z.string(),
    provider: z.string(),
    subject: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: z.enum(['owner', 'member']).nullable(),
    confirmedAt: z.number(),
    refreshToken: z.string().nullable(),
    next: z.string(),
  }),
);

/** A person whom a provider has confirmed and who has no account yet, kept by a cookie until they choose. */
export type Unbound = Readonly<z.output<ReturnType<typeof unboundFields>>>;

const unboundOf = (secrets: readonly string[]) => new SignedTexts(secrets, 'terse provider person');

/** The value of the cookie that keeps a person. Their claims are bounded so that it has room for them, and most tokens. */
export function writeUnbound(secrets: readonly string[], person: Unbound): string {
  const text = JSON.stringify(person);
  // A token that is too long is given again at the next sign-in.
  const kept = fitsSigned(text) ? text : JSON.stringify({ ...person, refreshToken: null });
  return unboundOf(secrets).of(kept, Date.now() + ATTEMPT_SECONDS * 1000);
}

/** Reads the cookie of a person; null if it is not ours or too old. */
export function readUnbound(secrets: readonly string[], cookie: string | undefined): Unbound | null {
  const text = cookie === undefined ? null : unboundOf(secrets).read(cookie, Date.now());
  return text === null ? null : unboundFields().parse(JSON.parse(text));
}

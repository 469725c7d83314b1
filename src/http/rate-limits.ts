import { createMiddleware } from 'hono/factory';
import { confirmCredential } from '../accounts/confirm.ts';
import type { Credential } from '../accounts/grants.ts';
import { AppError } from '../errors.ts';
import { openLimiter, tooManyRequests } from '../limits.ts';
import { logProblem } from '../log.ts';
import { callerAddress } from './address.ts';
import type { Asked, HttpEnv } from './env.ts';

type Binding = keyof { [Name in keyof Env as Env[Name] extends RateLimit ? Name : never]: true };

interface Limit {
  readonly binding: Binding;
  /** What the binding allows a minute, as wrangler.toml has it: so much this isolate allows too, by weight. */
  readonly most: number;
}

interface Kind {
  readonly credential: Limit;
  readonly address?: Limit;
  /** What is said of the one who is over the limit: a credential, or an address. */
  readonly sentence: string;
}

/** What is limited by credential and by address, whatever the endpoint or the page. Sign-ins have their own guard. */
export const RATE_LIMITS = {
  create: {
    credential: { binding: 'CREATE_LIMIT', most: 3000 },
    address: { binding: 'CREATE_ADDRESS_LIMIT', most: 6000 },
    sentence: 'makes links too quickly. Slow down, then try again.',
  },
  write: {
    credential: { binding: 'WRITE_LIMIT', most: 600 },
    address: { binding: 'WRITE_ADDRESS_LIMIT', most: 1200 },
    sentence: 'changes things too quickly. Slow down, then try again.',
  },
  verification: {
    credential: { binding: 'VERIFY_LIMIT', most: 30 },
    sentence: 'verifies domains too often. Wait a minute, then try again.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type RateLimited = keyof typeof RATE_LIMITS;

/** Tries with credentials that are not valid, by address. */
const BAD_CREDENTIALS: Binding = 'BAD_CREDENTIAL_LIMIT';

/** What an answer is to be counted for, once it is known whether the credential was good. */
interface Counted {
  readonly kind: Kind;
  readonly credentialKey: string | null;
  readonly address: string;
  readonly weight: number;
}

const toCount = new WeakMap<Request, Counted>();

/**
 * Limits how often one credential does something, and how often one address does with all of its credentials. The address is
 * counted by `countOutcomes`, after the answer: who has no good credential must not use up what those behind the same address
 * may do. A limiter that fails lets everyone pass: it guards a store, not a secret. Throws `too_many_requests`.
 *
 * @param credential not judged yet; null where what is shown names nobody
 * @param weight for how many it counts, in this isolate; the platform's limiter counts one
 */
export async function limitRate(
  c: Asked,
  name: RateLimited,
  credential: Credential | { readonly userId: string } | null,
  weight = 1,
): Promise<void> {
  const counted = await letPass(c, name, credential, weight);
  if (counted) toCount.set(c.req.raw, counted);
}

/**
 * Does work that a request leaves for after its answer, within the same limits. Throws `too_many_requests`.
 *
 * @param work says whether the credential was good
 */
export async function workWithin(
  c: Asked,
  name: RateLimited,
  credential: Credential,
  work: () => Promise<boolean>,
): Promise<void> {
  const counted = await letPass(c, name, credential, 1);
  const isGood = await work();
  if (counted) await count(c, counted, isGood ? undefined : 'invalid_credential');
}

// Null where nothing is limited.
async function letPass(
  c: Asked,
  name: RateLimited,
  credential: Credential | { readonly userId: string } | null,
  weight: number,
): Promise<Counted | null> {
  if (!c.var.services.config.createLimiting) return null;
  const { tallies } = c.var.services;
  const kind: Kind = RATE_LIMITS[name];
  const address = callerAddress(c);
  if (kind.address && tallies.isFull(tallyOf(kind.address, address))) throw refusal('Your address', kind);
  const key = credential && keyOf(credential);
  if (key !== null) {
    const { binding, most } = kind.credential;
    const isWithin = tallies.take(tallyOf(kind.credential, key), weight, most) && (await allows(c, binding, key));
    if (!isWithin) throw refusal('This credential', kind);
  }
  if (credential && 'kind' in credential) await judgeStranger(c, credential, keyOf(credential), address);
  return { kind, credentialKey: key, address, weight };
}

// From an address that has tried many bad credentials, one that is not known here is judged before it costs any more.
async function judgeStranger(c: Asked, credential: Credential, key: string, address: string): Promise<void> {
  const { tallies } = c.var.services;
  if (!tallies.isFull(badTries(address)) || tallies.has(goodOne(key))) return;
  try {
    await confirmCredential(c.var.db, credential);
  } catch (error) {
    if (!isBadCredential(error)) throw error;
    throw tooManyRequests(
      'Your address tries credentials that are not valid too often. Wait a minute, then try again.',
    );
  }
}

/** Counts, after the answer, what came of what `limitRate` has let pass. */
export const countOutcomes = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  const counted = toCount.get(c.req.raw);
  if (counted) c.executionCtx.waitUntil(count(c, counted, c.var.failure));
});

async function count(c: Asked, counted: Counted, failure: HttpEnv['Variables']['failure']): Promise<void> {
  const { kind, credentialKey, address, weight } = counted;
  const { tallies } = c.var.services;
  if (failure === 'invalid_credential') {
    // What is made up must not push out of memory what is counted of the others.
    if (credentialKey !== null) tallies.forget(tallyOf(kind.credential, credentialKey));
    if (!(await allows(c, BAD_CREDENTIALS, address))) tallies.fill(badTries(address));
    return;
  }
  if (credentialKey !== null) tallies.take(goodOne(credentialKey), 1, Number.POSITIVE_INFINITY);
  if (!kind.address) return;
  const { binding, most } = kind.address;
  const tally = tallyOf(kind.address, address);
  if (!tallies.take(tally, weight, most) || !(await allows(c, binding, address))) tallies.fill(tally);
}

async function allows(c: Asked, binding: Binding, key: string): Promise<boolean> {
  try {
    return await openLimiter(c.env[binding])(key);
  } catch (cause) {
    logProblem('rate_limiter_failed', cause);
    return true;
  }
}

// By what only the owner holds: who merely knows a key's id must not use up its limit.
function keyOf(credential: Credential | { readonly userId: string }): string {
  return 'secretHash' in credential ? credential.secretHash : credential.userId;
}

const tallyOf = ({ binding }: Limit, key: string) => `${binding} ${key}`;
const badTries = (address: string) => `${BAD_CREDENTIALS} ${address}`;
const goodOne = (key: string) => `good ${key}`;

const isBadCredential = (error: unknown) => error instanceof AppError && error.code === 'invalid_credential';

function refusal(who: string, { sentence }: Kind): AppError {
  return tooManyRequests(`${who} ${sentence}`);
}

import { confirmCredential } from '../accounts/confirm.ts';
import type { Credential } from '../accounts/grants.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { openLimiter, tooManyRequests } from '../bounds/rate-limiter.ts';
import { logProblem } from '../isolate/log.ts';
import { callerAddress } from '../network/address-block.ts';
import type { RequestContext } from './env.ts';

type Binding = keyof { [Name in keyof Env as Env[Name] extends RateLimit ? Name : never]: true };

interface Limit {
  readonly binding: Binding;
  /**
   * The limit a minute of the binding, as in wrangler.toml. Each isolate applies the same limit to the sum of weights.
   */
  readonly most: number;
}

interface Kind {
  readonly credential?: Limit;
  readonly address?: Limit;
  /** The end of the error sentence, after "This credential" or "Your address". */
  readonly sentence?: string;
  /**
   * True if the request has a secret that is no credential of the API, so that it is refused after many bad ones from its
   * address, unless this isolate knows it.
   */
  readonly isSecret?: boolean;
}

/** The limits by credential and by address, shared by all endpoints and pages. Sign-ins have limits of their own. */
export const RATE_LIMITS = {
  create: {
    credential: { binding: 'CREATE_LIMIT', most: 3000 },
    address: { binding: 'CREATE_ADDRESS_LIMIT', most: 6000 },
    sentence: 'creates links too quickly. Slow down, then try again.',
  },
  write: {
    credential: { binding: 'WRITE_LIMIT', most: 600 },
    address: { binding: 'WRITE_ADDRESS_LIMIT', most: 1200 },
    sentence: 'changes things too quickly. Slow down, then try again.',
  },
  token: {
    address: { binding: 'WRITE_ADDRESS_LIMIT', most: 1200 },
    sentence: 'refreshes or revokes tokens too quickly. Slow down, then try again.',
    isSecret: true,
  },
  registration: {
    address: { binding: 'WRITE_ADDRESS_LIMIT', most: 1200 },
    sentence: 'registers applications too quickly. Slow down, then try again.',
  },
  application: {
    credential: { binding: 'WRITE_LIMIT', most: 600 },
    address: { binding: 'WRITE_ADDRESS_LIMIT', most: 1200 },
    sentence: 'gets tokens too quickly. Slow down, then try again.',
    isSecret: true,
  },
  passkey: {
    address: { binding: 'WRITE_ADDRESS_LIMIT', most: 1200 },
    sentence: 'signs in with passkeys too quickly. Slow down, then try again.',
    isSecret: true,
  },
  provider: {
    address: { binding: 'WRITE_ADDRESS_LIMIT', most: 1200 },
    sentence: 'signs in at providers too quickly. Slow down, then try again.',
    isSecret: true,
  },
  // Its pages have no credential.
  shared: {
    address: { binding: 'SHARED_STATISTICS_LIMIT', most: 120 },
    sentence: 'opens public statistics too quickly. Slow down, then try again.',
  },
  verification: {
    credential: { binding: 'VERIFY_LIMIT', most: 30 },
    sentence: 'verifies domains too often. Wait a minute, then try again.',
  },
  lookup: {
    credential: { binding: 'LOOKUP_LIMIT', most: 10 },
    sentence: 'looks up destinations too often. Wait a minute, then try again.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

type RateLimited = keyof typeof RATE_LIMITS;

/** Counts requests with bad credentials, by address. */
const BAD_CREDENTIALS: Binding = 'BAD_CREDENTIAL_LIMIT';

/** A user, or the hash of a secret, for which requests are counted. */
type Counting = { readonly userId: string } | { readonly secretHash: string };

/** The request to count after the response, when it is known whether the credential was valid. */
interface Counted {
  readonly kind: Kind;
  readonly credentialKey: string | null;
  readonly address: string;
  readonly weight: number;
}

/**
 * Limits how often one credential does something, and how often one address does with all of its credentials.
 * The address is counted after the response, so that bad credentials do not use up the limit of the valid ones behind the
 * same address. If a limiter fails, the request passes: it protects a store, not a secret. Throws
 * `too_many_requests`.
 *
 * @param credential not verified yet; null if the request has none
 * @param weight how much this isolate counts for the request; the platform's limiter counts one
 */
export async function limitRate(
  c: RequestContext,
  name: RateLimited,
  credential: Credential | Counting | null,
  weight = 1,
): Promise<void> {
  const counted = await checkLimits(c, name, credential, weight);
  // A batch of messages is limited for each of them.
  if (counted) c.var.caller.toCount.push((failure) => count(c, counted, failure));
}

/**
 * Does work after the answer of a request, within the same limits. Throws `too_many_requests`.
 *
 * @param work returns whether the credential was valid
 */
export async function workWithin(
  c: RequestContext,
  name: RateLimited,
  credential: Credential,
  work: () => Promise<boolean>,
): Promise<void> {
  const counted = await checkLimits(c, name, credential, 1);
  const isGood = await work();
  if (counted) await count(c, counted, isGood ? undefined : 'invalid_credential');
}

// Null if there are no limits.
async function checkLimits(
  c: RequestContext,
  name: RateLimited,
  credential: Credential | Counting | null,
  weight: number,
): Promise<Counted | null> {
  if (!c.var.services.config.createLimiting) return null;
  const { tallies } = c.var.services;
  const kind: Kind = RATE_LIMITS[name];
  const address = callerAddress(c.req.raw);
  const key = credential && keyOf(credential);
  const bad = badTries(address);
  const ofAddress = kind.address && tallyOf(kind.address, address);
  const ofCredential = kind.credential && key !== null ? tallyOf(kind.credential, key) : null;
  const hasBadTries = tallies.isFull(bad);
  if (ofAddress !== undefined && tallies.isFull(ofAddress)) throw refusal('Your address', kind);
  if (kind.isSecret && hasBadTries && !(key !== null && tallies.has(goodCredential(key)))) throw badTooOften();
  if (kind.credential && key !== null && ofCredential !== null) {
    const { binding, most } = kind.credential;
    const isWithin = tallies.take(ofCredential, weight, most) && (await allows(c, binding, key));
    if (!isWithin) throw refusal('This credential', kind);
  }
  if (hasBadTries && credential && 'kind' in credential) await verifyUnknown(c, credential, keyOf(credential));
  return { kind, credentialKey: key, address, weight };
}

// After many bad credentials from an address, a credential that this isolate does not know is verified before any other
// work.
async function verifyUnknown(c: RequestContext, credential: Credential, key: string): Promise<void> {
  if (c.var.services.tallies.has(goodCredential(key))) return;
  try {
    await confirmCredential(c.var.db, credential);
  } catch (error) {
    if (!isBadCredential(error)) throw error;
    throw badTooOften();
  }
}

const badTooOften = () =>
  tooManyRequests('Your address sends bad credentials too often. Wait a minute, then try again.');

async function count(c: RequestContext, counted: Counted, failure: ErrorCode | undefined): Promise<void> {
  const { kind, credentialKey, address, weight } = counted;
  const { tallies } = c.var.services;
  if (failure === 'invalid_credential') {
    // Entries for invented credentials must not push those of real ones out of memory.
    if (credentialKey !== null && kind.credential) tallies.giveBack(tallyOf(kind.credential, credentialKey), weight);
    if (!(await allows(c, BAD_CREDENTIALS, address))) tallies.fill(badTries(address));
    return;
  }
  const good = credentialKey === null ? null : goodCredential(credentialKey);
  const tally = kind.address && tallyOf(kind.address, address);
  if (good !== null) tallies.take(good, 1, Number.POSITIVE_INFINITY);
  if (kind.address === undefined || tally === undefined) return;
  const { binding, most } = kind.address;
  if (!tallies.take(tally, weight, most) || !(await allows(c, binding, address))) tallies.fill(tally);
}

async function allows(c: RequestContext, binding: Binding, key: string): Promise<boolean> {
  try {
    return await openLimiter(c.env[binding])(key);
  } catch (cause) {
    logProblem('rate_limiter_failed', cause);
    return true;
  }
}

// Counted by the secret's hash, since a caller who knows only the id of a key must not use up its limit.
function keyOf(credential: Credential | Counting): string {
  return 'secretHash' in credential ? credential.secretHash : credential.userId;
}

const tallyOf = ({ binding }: Limit, key: string) => `${binding} ${key}`;
const badTries = (address: string) => `${BAD_CREDENTIALS} ${address}`;
const goodCredential = (key: string) => `good ${key}`;

const isBadCredential = (error: unknown) => error instanceof AppError && error.code === 'invalid_credential';

function refusal(who: string, { sentence }: Kind): AppError {
  return tooManyRequests(`${who} ${sentence}`);
}

import { env } from 'cloudflare:workers';
import { PasskeyChallenges } from '../../src/accounts/passkeys/challenges.ts';
import { enrolmentOptions, enrolPasskey, listPasskeys } from '../../src/accounts/passkeys/passkeys.ts';
import { formerSignInOptions, signInOptions, signInWithPasskey } from '../../src/accounts/passkeys/use-passkey.ts';
import type { Session } from '../../src/accounts/sessions/session.ts';
import { parseConfig } from '../../src/config/config.ts';
import { SoftwarePasskey, type Algorithm, type CreationOptions, type Deviation } from './authenticator.ts';
import { seedCaller, type Caller } from './forms.ts';
import { db } from './seed.ts';
import { FIREFOX, seedSession } from './sessions.ts';

/** Passkeys of users, for the rooms below the pages. */

export const RP = { id: 'terse.test', origin: 'https://terse.test' };
/** The service before a move. */
export const FORMER_RP = { id: 'former.test', origin: 'https://former.test' };

/** The time in which a challenge has to be signed, in milliseconds. */
export const CHALLENGE_MS = 300_000;

export const challenges = new PasskeyChallenges(parseConfig({ ...env }).tokenKeys.map(({ d }) => d));

/** The options of a page that adds a passkey, as a browser reads them. */
export async function optionsFor(session: Session, rp = RP): Promise<CreationOptions> {
  const own = await listPasskeys(db, session);
  return JSON.parse(JSON.stringify(enrolmentOptions(challenges, rp, session, own)));
}

interface Enrolling {
  readonly passkey?: SoftwarePasskey;
  readonly name?: string;
  readonly rp?: typeof RP;
  readonly deviation?: Deviation;
}

/** Adds a passkey for the user of a session. */
export async function enrol(session: Session, { passkey, name = 'phone', rp = RP, deviation }: Enrolling = {}) {
  const created = passkey ?? (await SoftwarePasskey.open());
  const sent = await created.create(await optionsFor(session, rp), rp.origin, deviation);
  await enrolPasskey(db, challenges, rp, session, { name, passkey_response: sent });
  return created;
}

interface PasskeyScene {
  readonly user: Caller;
  readonly session: Session;
  readonly passkey: SoftwarePasskey;
}

/** A signed-in user with a passkey. */
export async function seedPasskey({
  rp = RP,
  algorithm = 'ES256',
  counts = true,
}: { rp?: typeof RP; algorithm?: Algorithm; counts?: boolean } = {}): Promise<PasskeyScene> {
  const user = await seedCaller();
  const { session } = await seedSession(user);
  const passkey = await enrol(session, { rp, passkey: await SoftwarePasskey.open(algorithm, counts) });
  return { user, session, passkey };
}

/** What a passkey sends to the sign-in, for a new challenge of it. */
export async function signedBy(passkey: SoftwarePasskey, deviation: Deviation = {}, host = RP.id): Promise<string> {
  const former = await formerSignInOptions(db, challenges, RP);
  const options = [signInOptions(challenges, RP), ...former].find(({ rpId }) => rpId === host);
  if (!options) throw new Error(`the sign-in asks for no passkey of ${host}`);
  return passkey.get(options, RP.origin, deviation);
}

export const signInBySent = (sent: string) => signInWithPasskey(db, challenges, RP, sent, FIREFOX);

import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { removePasskey } from '../../../src/accounts/passkeys/passkeys.ts';
import {
  confirmOptions,
  confirmWithPasskey,
  formerSignInOptions,
  signInOptions,
} from '../../../src/accounts/passkeys/use-passkey.ts';
import { findSession, endSession, startSession, type Session } from '../../../src/accounts/sessions/session.ts';
import { disableUser } from '../../../src/accounts/operator.ts';
import { SoftwarePasskey, type Algorithm, type Deviation, type RequestOptions } from '../../support/authenticator.ts';
import { seedCaller } from '../../support/forms.ts';
import {
  CHALLENGE_MS,
  challenges,
  FORMER_RP,
  optionsFor,
  RP,
  seedPasskey,
  signedBy,
  signInBySent,
} from '../../support/passkeys.ts';
import { db, rowsOf } from '../../support/seed.ts';
import { FIREFOX, passwordHashOf, seedSession } from '../../support/sessions.ts';

afterEach(() => vi.useRealTimers());

const byCode = (code: string) => expect.objectContaining({ code });

const rowOf = (id: string) =>
  env.DB.prepare('SELECT counter, last_used_at, spent_by FROM passkeys WHERE id = ?')
    .bind(id)
    .first<{ counter: number; last_used_at: number | null; spent_by: string | null }>();

const familiesOf = async (userId: string) =>
  (await rowsOf('token_families')).filter((row) => row['user_id'] === userId && row['began_by'] === 'passkey');

describe('a sign-in by a passkey', () => {
  it.each<Algorithm>(['ES256', 'Ed25519', 'RS256'])('a session begins by a passkey alone: %s', async (algorithm) => {
    const { user, passkey } = await seedPasskey({ algorithm });
    const { value, userId, isOfFormerHost } = await signInBySent(await signedBy(passkey));
    expect([userId, isOfFormerHost]).toEqual([user.userId, false]);
    const session = await findSession(db, value);
    expect(session).toMatchObject({ userId: user.userId, userName: user.userName });
    expect(await familiesOf(user.userId)).toEqual([expect.objectContaining({ id: session?.credential.familyId })]);
    expect(await rowOf(passkey.id)).toEqual({
      counter: 1,
      last_used_at: expect.any(Number),
      spent_by: session?.credential.familyId,
    });
  });

  it('a session begins by a passkey alone, although the user needs a second factor', async () => {
    const { user, passkey } = await seedPasskey();
    await env.DB.prepare('UPDATE users SET factor_since = 1 WHERE id = ?').bind(user.userId).run();
    const byPassword = { id: user.userId, passwordHash: await passwordHashOf(user), hasFactor: true };
    await expect(startSession(db, byPassword, FIREFOX)).rejects.toEqual(byCode('invalid_credential'));
    expect((await signInBySent(await signedBy(passkey))).userId).toBe(user.userId);
    // Nor does it open the way for a later sign-in without one.
    await expect(startSession(db, byPassword, FIREFOX)).rejects.toEqual(byCode('invalid_credential'));
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://terse.test.evil.example' }],
    ['another scheme', { origin: 'http://terse.test' }],
    ['another host', { rpId: 'evil.example' }],
    ['a host below it', { rpId: 'go.terse.test' }],
    ['no verification of its user', { isVerified: false }],
    ['a new passkey', { type: 'webauthn.create' }],
    ['a frame of another site', { crossOrigin: true }],
    ['a forged signature', { forged: true }],
    ['no user', { userHandle: null }],
    ['another user', { userHandle: Buffer.from(crypto.randomUUID()).toString('base64url') }],
    ['an unknown id', { id: 'dW5rbm93bg' }],
  ])('a sign-in by a passkey is refused with %s', async (_name, deviation) => {
    const { user, passkey } = await seedPasskey();
    await expect(signedBy(passkey, deviation).then(signInBySent)).rejects.toEqual(byCode('invalid_passkey'));
    expect(await familiesOf(user.userId)).toEqual([]);
    expect(await rowOf(passkey.id)).toEqual({ counter: 0, last_used_at: null, spent_by: null });
  });

  it('a passkey that names the id of another user signs in neither', async () => {
    const [own, other] = [await seedPasskey(), await seedPasskey()];
    for (const userHandle of [own.user.userId, other.user.userId].map((id) => Buffer.from(id).toString('base64url')))
      await expect(signedBy(own.passkey, { id: other.passkey.id, userHandle }).then(signInBySent)).rejects.toEqual(
        byCode('invalid_passkey'),
      );
    expect(await familiesOf(own.user.userId)).toEqual([]);
    expect(await familiesOf(other.user.userId)).toEqual([]);
  });

  it.each([
    ['lower', 4],
    ['equal', 5],
    ['none', 0],
  ])('a count is refused that is %s', async (_name, counter) => {
    const { user, passkey } = await seedPasskey();
    await signInBySent(await signedBy(passkey, { counter: 5 }));
    await expect(signedBy(passkey, { counter }).then(signInBySent)).rejects.toEqual(byCode('invalid_passkey'));
    expect(await familiesOf(user.userId)).toHaveLength(1);
    expect((await rowOf(passkey.id))?.counter).toBe(5);
    await signInBySent(await signedBy(passkey, { counter: 6 }));
  });

  it('a passkey that does not count its uses signs in again and again', async () => {
    const { user, passkey } = await seedPasskey({ counts: false });
    for (const _ of [1, 2, 3]) await signInBySent(await signedBy(passkey));
    expect((await rowOf(passkey.id))?.counter).toBe(0);
    expect(await familiesOf(user.userId)).toHaveLength(3);
  });

  it('what a passkey has signed begins one session, even if requests send it at the same moment', async () => {
    const { user, passkey } = await seedPasskey({ counts: false });
    const sent = await signedBy(passkey);
    const begun = await Promise.allSettled([sent, sent, sent].map(signInBySent));
    expect(begun.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(signInBySent(sent)).rejects.toEqual(byCode('invalid_passkey'));
    expect(await familiesOf(user.userId)).toHaveLength(1);
  });

  it('two counted uses at the same moment that say the same count begin one session', async () => {
    const { user, passkey } = await seedPasskey();
    const sent = [await signedBy(passkey, { counter: 3 }), await signedBy(passkey, { counter: 3 })];
    const begun = await Promise.allSettled(sent.map(signInBySent));
    expect(begun.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await familiesOf(user.userId)).toHaveLength(1);
  });

  it.each(['enrol', 'confirm'] as const)('a challenge for something else signs no one in: %s', async (use) => {
    const { session, passkey } = await seedPasskey();
    const { challenge } =
      use === 'enrol' ? await optionsFor(session) : ((await confirmOptions(db, challenges, RP, session)) ?? {});
    const sent = await passkey.get({ rpId: RP.id, challenge: challenge ?? '' }, RP.origin);
    await expect(signInBySent(sent)).rejects.toEqual(byCode('invalid_passkey'));
  });

  it('a challenge of another host, or one that has expired, signs no one in', async () => {
    const { passkey } = await seedPasskey();
    const own = signInOptions(challenges, { id: 'localhost', origin: 'http://localhost:8787' });
    const elsewhere = await passkey.get({ ...own, rpId: RP.id }, RP.origin);
    await expect(signInBySent(elsewhere)).rejects.toEqual(byCode('invalid_passkey'));
    const late = await signedBy(passkey);
    vi.setSystemTime(Date.now() + CHALLENGE_MS);
    await expect(signInBySent(late)).rejects.toEqual(byCode('invalid_passkey'));
  });

  it('a challenge stores no row before a passkey has signed it', async () => {
    const before = await rowsOf('spent_challenges');
    signInOptions(challenges, RP);
    await formerSignInOptions(db, challenges, RP);
    expect(await rowsOf('spent_challenges')).toEqual(before);
  });

  it('a disabled user does not sign in, nor one who has removed the passkey', async () => {
    const [disabled, removed] = [await seedPasskey(), await seedPasskey()];
    const sent = await signedBy(disabled.passkey);
    await disableUser(db, disabled.user.userName);
    await expect(signInBySent(sent)).rejects.toEqual(byCode('invalid_passkey'));
    await removePasskey(db, removed.session, removed.passkey.id);
    await expect(signedBy(removed.passkey).then(signInBySent)).rejects.toEqual(byCode('invalid_passkey'));
  });
});

describe('a passkey after a move of the service', () => {
  it('the sign-in asks for passkeys of the former host by that host, and they sign in', async () => {
    const { user, passkey } = await seedPasskey({ rp: FORMER_RP });
    const own = signInOptions(challenges, RP);
    expect(own).toEqual({ rpId: 'terse.test', challenge: expect.any(String), userVerification: 'required' });
    const former = await formerSignInOptions(db, challenges, RP);
    expect(former).toContainEqual({ ...own, rpId: 'former.test', challenge: expect.any(String) });
    expect(former.map(({ rpId }) => rpId)).not.toContain('terse.test');
    const { userId, isOfFormerHost } = await signInBySent(await signedBy(passkey, {}, 'former.test'));
    expect([userId, isOfFormerHost]).toEqual([user.userId, true]);
  });

  it('a passkey of the former host is refused at the page of that host, and by the id of the new one', async () => {
    const { passkey } = await seedPasskey({ rp: FORMER_RP });
    for (const deviation of [{ origin: FORMER_RP.origin }, { rpId: RP.id }])
      await expect(signedBy(passkey, deviation, 'former.test').then(signInBySent)).rejects.toEqual(
        byCode('invalid_passkey'),
      );
  });

  it('a passkey of a local run signs in there alone', async () => {
    const { passkey } = await seedPasskey({ rp: { id: 'localhost', origin: 'http://localhost:8787' } });
    const former = await formerSignInOptions(db, challenges, RP);
    expect(former.map(({ rpId }) => rpId)).not.toContain('localhost');
    const sent = await passkey.get(signInOptions(challenges, RP), RP.origin);
    await expect(signInBySent(sent)).rejects.toEqual(byCode('invalid_passkey'));
  });
});

describe('confirming by a passkey', () => {
  const confirmedAt = ({ credential }: Session) =>
    env.DB.prepare('SELECT confirmed_at FROM token_families WHERE id = ?')
      .bind(credential.familyId)
      .first<number | null>('confirmed_at');
  const askedOf = async (session: Session): Promise<RequestOptions> => {
    const options = await confirmOptions(db, challenges, RP, session);
    if (!options) throw new Error('there is no passkey to confirm with');
    return options;
  };
  const confirm = (session: Session, sent: string) => confirmWithPasskey(db, challenges, RP, session, sent);

  it('a passkey of the user is a fresh proof of the session', async () => {
    const { session, passkey } = await seedPasskey();
    const options = await askedOf(session);
    expect(options).toEqual({
      rpId: 'terse.test',
      challenge: expect.any(String),
      userVerification: 'required',
      allowCredentials: [{ type: 'public-key', id: passkey.id }],
    });
    expect(await confirmedAt(session)).toBeNull();
    await confirm(session, await passkey.get(options, RP.origin));
    expect(Date.now() - ((await confirmedAt(session)) ?? 0)).toBeLessThan(60_000);
  });

  it('a passkey of the user need not name them', async () => {
    const { session, passkey } = await seedPasskey();
    await confirm(session, await passkey.get(await askedOf(session), RP.origin, { userHandle: null }));
    expect(await confirmedAt(session)).not.toBeNull();
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['no verification of its user', { isVerified: false }],
    ['a forged signature', { forged: true }],
  ])('confirming by a passkey is refused with %s', async (_name, deviation) => {
    const { session, passkey } = await seedPasskey();
    const sent = await passkey.get(await askedOf(session), RP.origin, deviation);
    await expect(confirm(session, sent)).rejects.toEqual(byCode('invalid_passkey'));
    expect(await confirmedAt(session)).toBeNull();
  });

  it('what a passkey has signed confirms once, and only the session that has asked', async () => {
    const { user, session, passkey } = await seedPasskey({ counts: false });
    const { session: other } = await seedSession(user);
    const sent = await passkey.get(await askedOf(session), RP.origin);
    await expect(confirm(other, sent)).rejects.toEqual(byCode('invalid_passkey'));
    const confirmed = await Promise.allSettled([confirm(session, sent), confirm(session, sent)]);
    expect(confirmed.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await confirmedAt(other)).toBeNull();
  });

  it('a passkey of another user confirms nothing', async () => {
    const [own, other] = [await seedPasskey(), await seedPasskey()];
    const sent = await other.passkey.get(await askedOf(own.session), RP.origin);
    await expect(confirm(own.session, sent)).rejects.toEqual(byCode('invalid_passkey'));
    expect(await confirmedAt(own.session)).toBeNull();
  });

  it('a challenge of the sign-in confirms nothing', async () => {
    const { session, passkey } = await seedPasskey();
    await expect(confirm(session, await signedBy(passkey))).rejects.toEqual(byCode('invalid_passkey'));
  });

  it('a session that has ended is not confirmed, and a user without a passkey is not asked for one', async () => {
    const { session, passkey } = await seedPasskey();
    const sent = await passkey.get(await askedOf(session), RP.origin);
    await endSession(db, session);
    await expect(confirm(session, sent)).rejects.toEqual(byCode('invalid_credential'));
    const { session: without } = await seedSession(await seedCaller());
    expect(await confirmOptions(db, challenges, RP, without)).toBeNull();
    expect(await (await SoftwarePasskey.open()).get({ rpId: RP.id, challenge: 'x' }, RP.origin)).toContain(
      'clientDataJSON',
    );
  });
});

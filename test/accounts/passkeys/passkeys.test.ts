import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { enrolPasskey, listPasskeys, removePasskey, renamePasskey } from '../../../src/accounts/passkeys/passkeys.ts';
import { MAX_PASSKEYS } from '../../../src/accounts/passkeys/passkey-store.ts';
import { endSession } from '../../../src/accounts/sessions/session.ts';
import worker from '../../../src/index.ts';
import { SoftwarePasskey, type Algorithm, type Deviation } from '../../support/authenticator.ts';
import { seedCaller } from '../../support/forms.ts';
import {
  CHALLENGE_MS,
  challenges,
  enrol,
  FORMER_RP,
  optionsFor,
  RP,
  seedPasskey,
  signedBy,
  signInBySent,
} from '../../support/passkeys.ts';
import { db, rowsOf } from '../../support/seed.ts';
import { seedSession } from '../../support/sessions.ts';

afterEach(() => vi.useRealTimers());

const byCode = (code: string) => expect.objectContaining({ code });

const passkeysOf = async (userId: string) => (await rowsOf('passkeys')).filter((row) => row['user_id'] === userId);

describe('a new passkey', () => {
  it.each<Algorithm>(['ES256', 'Ed25519', 'RS256'])(
    'a passkey that signs with %s is added and signs in',
    async (algorithm) => {
      const { user, session, passkey } = await seedPasskey({ algorithm });
      expect(await passkeysOf(user.userId)).toEqual([
        {
          id: passkey.id,
          user_id: user.userId,
          name: 'phone',
          public_key: expect.stringMatching(/^[\w-]{40,400}$/),
          counter: 0,
          rp_id: 'terse.test',
          transports: '["internal","hybrid"]',
          created_at: expect.any(Number),
          last_used_at: null,
          spent_by: null,
        },
      ]);
      expect((await listPasskeys(db, session)).passkeys).toEqual([
        { id: passkey.id, name: 'phone', host: 'terse.test', createdAt: expect.any(Number), lastUsedAt: null },
      ]);
      expect((await signInBySent(await signedBy(passkey))).userId).toBe(user.userId);
    },
  );

  it('the options ask for a passkey that names and verifies its user, and for no statement of its maker', async () => {
    const { session, passkey } = await seedPasskey();
    expect(await optionsFor(session)).toEqual({
      rp: { id: 'terse.test', name: 'terse.test' },
      user: {
        id: Buffer.from(session.userId).toString('base64url'),
        name: session.userName,
        displayName: session.userName,
      },
      challenge: expect.stringMatching(/^[\w-]{100,200}$/),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [{ type: 'public-key', id: passkey.id }],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    });
  });

  it('a statement of who has made the authenticator is dropped', async () => {
    const { session } = await seedPasskey();
    const passkey = await enrol(session, { deviation: { statement: 'a maker' } });
    expect((await signInBySent(await signedBy(passkey))).userId).toBe(session.userId);
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://terse.test.evil.example' }],
    ['another scheme', { origin: 'http://terse.test' }],
    ['another port', { origin: 'https://terse.test:8443' }],
    ['another host', { rpId: 'evil.example' }],
    ['a host below it', { rpId: 'go.terse.test' }],
    ['no verification of its user', { isVerified: false }],
    ['the use of a passkey', { type: 'webauthn.get' }],
    ['a frame of another site', { crossOrigin: true }],
    ['the id of another credential', { id: 'b3RoZXI' }],
  ])('a new passkey is refused with %s', async (_name, deviation) => {
    const { session } = await seedSession(await seedCaller());
    await expect(enrol(session, { deviation })).rejects.toEqual(byCode('invalid_passkey'));
    expect(await passkeysOf(session.userId)).toEqual([]);
  });

  it.each(['', '{}', 'null', '{"id":1}', '[]', '{"id":"a","rawId":"a","type":"public-key","response":{}}', '{'])(
    'a new passkey is refused that is none: %s',
    async (sent) => {
      const { session } = await seedSession(await seedCaller());
      await expect(
        enrolPasskey(db, challenges, RP, session, { name: 'phone', passkey_response: sent }),
      ).rejects.toEqual(byCode('invalid_passkey'));
    },
  );

  it('a challenge adds one passkey, even if two requests send it at the same moment', async () => {
    const { session } = await seedSession(await seedCaller());
    const options = await optionsFor(session);
    const sent = await Promise.all(
      [1, 2, 3].map(async () => (await SoftwarePasskey.open()).create(options, RP.origin)),
    );
    const added = await Promise.allSettled(
      sent.map((each) => enrolPasskey(db, challenges, RP, session, { name: 'phone', passkey_response: each })),
    );
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await passkeysOf(session.userId)).toHaveLength(1);
  });

  it('the challenge of another session adds no passkey', async () => {
    const [user, stranger] = [await seedCaller(), await seedCaller()];
    const [{ session: own }, { session: other }] = [await seedSession(user), await seedSession(stranger)];
    const sent = await (await SoftwarePasskey.open()).create(await optionsFor(other), RP.origin);
    await expect(enrolPasskey(db, challenges, RP, own, { name: 'phone', passkey_response: sent })).rejects.toEqual(
      byCode('invalid_passkey'),
    );
  });

  it('a challenge is refused after five minutes', async () => {
    const { session } = await seedSession(await seedCaller());
    const sent = await (await SoftwarePasskey.open()).create(await optionsFor(session), RP.origin);
    vi.setSystemTime(Date.now() + CHALLENGE_MS);
    await expect(enrolPasskey(db, challenges, RP, session, { name: 'phone', passkey_response: sent })).rejects.toEqual(
      byCode('invalid_passkey'),
    );
  });

  it('a passkey of another user is not added again', async () => {
    const { user, passkey } = await seedPasskey();
    const { session } = await seedSession(await seedCaller());
    await expect(enrol(session, { passkey })).rejects.toEqual(byCode('passkey_taken'));
    expect(await passkeysOf(session.userId)).toEqual([]);
    expect(await passkeysOf(user.userId)).toHaveLength(1);
  });

  it('a passkey is not added to a session that has ended', async () => {
    const { session } = await seedSession(await seedCaller());
    const options = await optionsFor(session);
    await endSession(db, session);
    const sent = await (await SoftwarePasskey.open()).create(options, RP.origin);
    await expect(enrolPasskey(db, challenges, RP, session, { name: 'phone', passkey_response: sent })).rejects.toEqual(
      byCode('invalid_credential'),
    );
  });

  it('a user has a limited number of passkeys', async () => {
    const { session } = await seedPasskey();
    await env.DB.batch(
      Array.from({ length: MAX_PASSKEYS - 1 }, (_, at) =>
        env.DB.prepare(
          `INSERT INTO passkeys (id, user_id, name, public_key, counter, rp_id, transports, created_at)
            SELECT id || ?2, user_id, name, public_key, counter, rp_id, transports, created_at FROM passkeys
            WHERE user_id = ?1 LIMIT 1`,
        ).bind(session.userId, at),
      ),
    );
    await expect(enrol(session)).rejects.toEqual(byCode('too_many_passkeys'));
    expect(await passkeysOf(session.userId)).toHaveLength(MAX_PASSKEYS);
  });

  it('the host of a passkey is kept with it', async () => {
    const { session } = await seedPasskey({ rp: FORMER_RP });
    expect((await listPasskeys(db, session)).passkeys).toEqual([expect.objectContaining({ host: 'former.test' })]);
  });
});

describe('the passkeys of a user', () => {
  it('a passkey is renamed and removed by its user alone', async () => {
    const [{ session, passkey }, other] = [await seedPasskey(), await seedPasskey()];
    await expect(renamePasskey(db, other.session, passkey.id, 'theirs')).rejects.toEqual(byCode('not_found'));
    await removePasskey(db, other.session, passkey.id);
    expect((await passkeysOf(session.userId)).map(({ name }) => name)).toEqual(['phone']);
    await renamePasskey(db, session, passkey.id, 'key at work');
    expect((await passkeysOf(session.userId)).map(({ name }) => name)).toEqual(['key at work']);
    await removePasskey(db, session, passkey.id);
    expect(await passkeysOf(session.userId)).toEqual([]);
    await expect(signedBy(passkey).then(signInBySent)).rejects.toEqual(byCode('invalid_passkey'));
  });

  it('challenges that were used are removed a day after they have expired', async () => {
    await seedPasskey();
    expect(await rowsOf('spent_challenges')).not.toEqual([]);
    vi.setSystemTime(Date.now() + CHALLENGE_MS + 1);
    await worker.scheduled(createScheduledController(), env);
    expect(await rowsOf('spent_challenges')).toEqual([]);
  });
});

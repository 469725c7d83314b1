import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type * as Verify from '../../src/accounts/passkeys/verify.ts';
import { SoftwarePasskey, type Algorithm, type Deviation } from '../support/authenticator.ts';
import { makeFolder } from './support/processes.ts';
import { NODE, ROOT } from './support/project.ts';

/** Passkeys as the built Worker verifies them: without the certificate libraries, which its build leaves out. */

const ORIGIN = 'https://terse.test';
const RP_ID = 'terse.test';
const CHALLENGE = Buffer.from('a challenge').toString('base64url');
const EXPECTED = { origin: ORIGIN, rpId: RP_ID, readChallenge: () => ({ hash: 'hash', endsAt: 1 }) };

let built: typeof Verify;

beforeAll(async () => {
  const folder = makeFolder();
  const options = ['src/accounts/passkeys/verify.ts', folder, '--one-file'];
  execFileSync(NODE, ['scripts/build-worker.mjs', ...options], { cwd: ROOT, stdio: 'ignore' });
  built = await import(join(folder, 'verify.mjs'));
});

async function enrol(passkey: SoftwarePasskey, deviation: Deviation = {}) {
  const options = { rp: { id: RP_ID }, user: { id: 'dXNlcg' }, challenge: CHALLENGE };
  const sent = await passkey.create(options, ORIGIN, deviation);
  return built.verifyRegistration(built.readRegistration(sent), EXPECTED);
}

async function use(passkey: SoftwarePasskey, stored: { id: string; publicKey: string }, deviation: Deviation = {}) {
  const sent = await passkey.get({ rpId: RP_ID, challenge: CHALLENGE }, ORIGIN, deviation);
  return built.verifyAssertion(built.readAssertion(sent), { ...stored, counter: 0 }, EXPECTED);
}

it.each<Algorithm>(['ES256', 'Ed25519', 'RS256'])('the built Worker verifies signatures of %s', async (algorithm) => {
  const passkey = await SoftwarePasskey.open(algorithm);
  const stored = await enrol(passkey);
  expect(await use(passkey, stored)).toEqual({ challenge: { hash: 'hash', endsAt: 1 }, counter: 1 });
  for (const deviation of [{ forged: true }, { rpId: 'evil.example' }, { isVerified: false }])
    await expect(use(passkey, stored, deviation)).rejects.toEqual(expect.objectContaining({ code: 'invalid_passkey' }));
});

it('the built Worker adds a passkey with a statement of its maker, which it drops', async () => {
  const passkey = await SoftwarePasskey.open();
  expect((await enrol(passkey, { statement: 'a maker' })).id).toBe(passkey.id);
});

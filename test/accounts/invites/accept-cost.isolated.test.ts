import { scryptSync } from 'node:crypto';
import { nanoid } from 'nanoid';
import { afterEach, expect, it, vi } from 'vitest';
import { expectFailure, seedCaller } from '../../support/forms.ts';
import { invite } from '../../support/invites.ts';
import { ask, send } from '../../support/management.ts';
import { rowsOf } from '../../support/seed.ts';
import { openIsolate } from '../../support/service.ts';
import { newIpv4 } from '../../support/sign-in.ts';

await vi.hoisted(() => import('../../support/module-mocks.ts'));
vi.mock('node:crypto', { spy: true });

const scrypt = vi.mocked(scryptSync);

afterEach(() => {
  scrypt.mockReset();
});

const acceptAsNew = (token: string, name = `new-${nanoid(8)}`) => {
  const body = { token, name, password: 'correct horse' };
  return send({ 'CF-Connecting-IP': newIpv4() }, 'POST', '/v1/invites/accept', body, openIsolate());
};

it('hashes no password for an invite that is unknown or revoked, or a name that is taken', async () => {
  const [owner, other] = [await seedCaller(), await seedCaller()];
  const [open, revoked] = [await invite(owner), await invite(owner)];
  await ask(owner, 'DELETE', `/v1/invites/${revoked.id}`);
  const users = await rowsOf('users');
  await expectFailure(await acceptAsNew('x'), 404, expect.stringMatching(/^not_found: /));
  await expectFailure(await acceptAsNew(revoked.token), 410, expect.stringMatching(/^gone: /));
  await expectFailure(await acceptAsNew(open.token, other.userName), 409, expect.stringMatching(/^name_taken: /));
  expect([scrypt.mock.calls.length, await rowsOf('users')]).toEqual([0, users]);
  expect((await acceptAsNew(open.token)).status).toBe(201);
  expect(scrypt).toHaveBeenCalledOnce();
});

import { scryptSync } from 'node:crypto';
import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { afterEach, expect, it, vi } from 'vitest';
import { WorkQueue } from '../../../src/isolate/work-queue.ts';
import { expectFailure, seedCaller } from '../../support/forms.ts';
import { invite } from '../../support/invites.ts';
import { send } from '../../support/management.ts';
import { openOperator } from '../../support/operator.ts';
import { openPage } from '../../support/pages.ts';
import { openIsolate } from '../../support/service.ts';
import { shareOf } from '../../support/share.ts';
import { attempt, newIpv4, newName, times } from '../../support/sign-in.ts';

await vi.hoisted(() => import('../../support/module-mocks.ts'));
vi.mock('node:crypto', { spy: true });

const scrypt = vi.mocked(scryptSync);

afterEach(() => {
  vi.restoreAllMocks();
  scrypt.mockReset();
});

/** A hash that costs nothing, and is counted. */
function noteHashes(): string[] {
  const notes: string[] = [];
  scrypt.mockImplementation((_password, _salt, length) => {
    notes.push('hash');
    return Buffer.alloc(length);
  });
  return notes;
}

it('leaves a turn of the event loop between the hashes of simultaneous sign-ins', async () => {
  const notes = noteHashes();
  const address = newIpv4();
  const isolate = openIsolate();
  const end = new AbortController();
  const answers = Promise.all(Array.from({ length: 12 }, () => attempt(newName(), 'guess', address, isolate)));
  void answers.finally(() => end.abort());
  while (!end.signal.aborted) {
    await scheduler.wait(5);
    if (notes.at(-1) === 'hash') notes.push('turn');
  }
  expect((await answers).map(({ status }) => status)).toEqual(times(12, 401));
  expect(notes).toEqual(Array.from({ length: 12 }, () => ['hash', 'turn']).flat());
});

it('refuses sign-ins beyond the length of the queue with Retry-After, and hashes nothing for them', async () => {
  const notes = noteHashes();
  for (const limiter of ['SIGN_IN_PAIR_LIMIT', 'SIGN_IN_ADDRESS_LIMIT'] as const)
    vi.spyOn(env[limiter], 'limit').mockResolvedValue({ success: true });
  const isolate = openIsolate();
  const answers = await Promise.all(Array.from({ length: 80 }, () => attempt(newName(), 'guess', newIpv4(), isolate)));
  const refused = answers.filter(({ status }) => status === 503);
  expect([refused.length, notes.length]).toEqual([16, 64]);
  for (const response of refused) {
    expect(response.headers.get('Retry-After')).toBe('10');
    await expectFailure(
      response,
      503,
      'busy: Too many passwords are being checked at once. Try again in a few seconds.',
    );
  }
  expect((await attempt(newName(), 'guess', newIpv4(), isolate)).status).toBe(401);
});

const HASHING: readonly (readonly [what: string, ask: () => Promise<Response>])[] = [
  ['GET /tokens/create_token', () => attempt(newName(), 'guess', newIpv4(), openIsolate())],
  [
    'POST /v1/invites/accept',
    async () => {
      const { token } = await invite(await seedCaller());
      const body = { token, name: `new-${nanoid(8)}`, password: 'correct horse' };
      return send({ 'CF-Connecting-IP': newIpv4() }, 'POST', '/v1/invites/accept', body, openIsolate());
    },
  ],
  [
    'the operator’s add-user',
    async () =>
      (await openOperator()).ask('add-user', { name: newName(), client_id: 'operated', password: 'correct horse' }),
  ],
  [
    'the operator’s change-password',
    async () => {
      const { userName: name } = await seedCaller();
      return (await openOperator()).ask('change-password', { name, password: 'correct horse' });
    },
  ],
  ...[
    'POST /platform/sign-in',
    'POST /platform/account/password',
    'POST /platform/invite/:token',
    'POST /platform/reset/:token',
  ].map((name) => [name, async () => (await openPage(name)).send()] as const),
];

it.each(shareOf(HASHING))('%s hashes only in its turn, and is refused if the queue is full', async (_name, ask) => {
  const take = vi.spyOn(WorkQueue.prototype, 'take');
  const first = await ask();
  expect([first.status < 500, take.mock.calls.length]).toEqual([true, scrypt.mock.calls.length]);
  expect(take).toHaveBeenCalled();
  vi.restoreAllMocks();
  scrypt.mockClear();
  const full = await new WorkQueue(0).take(() => 0).catch((error: unknown) => error);
  vi.spyOn(WorkQueue.prototype, 'take').mockRejectedValue(full);
  const response = await ask();
  expect([response.status, response.headers.get('Retry-After'), scrypt.mock.calls.length]).toEqual([503, '10', 0]);
});

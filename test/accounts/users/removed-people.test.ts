import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { readAllTables, rowsWith } from '../../support/all-rows.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { form, openBrowser, placeOf } from '../../support/platform.ts';
import { addTo, openSession, seedIdentity, seedProvider } from '../../support/providers.ts';
import { rowsOf, seedTenant } from '../../support/seed.ts';

afterEach(() => {
  vi.useRealTimers();
});

type Scene = Awaited<ReturnType<typeof openWorkspace>>;

/** A workspace with a provider, and the people that it has made. */
async function openWorkspace() {
  const owner = await seedCaller();
  const provider = await seedProvider(owner.clientId);
  return { owner, provider, browse: (await openBrowser(owner)).browse };
}

const run = (sql: string, ...params: readonly string[]) =>
  env.DB.prepare(sql)
    .bind(...params)
    .run();

/** A person without a password, with an identity at the provider alone, and with a session, a key and refresh tokens. */
async function seedPerson({ owner, provider }: Scene) {
  const person = await seedTenant();
  const { userId } = person;
  await run('DELETE FROM api_keys WHERE user_id = ?', userId);
  await run('DELETE FROM audit_entries WHERE subject_id = ?', userId);
  await run(`UPDATE users SET password_hash = '!' WHERE id = ?`, userId);
  await run(`UPDATE members SET client_id = ?, role = 'member' WHERE user_id = ?`, owner.clientId, userId);
  const subject = await seedIdentity(provider, person);
  const session = await openSession(person, { provider });
  await run(
    `INSERT INTO refresh_tokens (hash, family_id, status) VALUES ('refresh ' || ?1, ?1, 'live')`,
    session.familyId,
  );
  return { ...person, subject, ...session };
}

async function deleteWorkspace({ owner: { clientId }, browse }: Scene): Promise<void> {
  const sent = await browse(`/platform/c/${clientId}/settings/delete`, form({ name: clientId }));
  expect(placeOf(sent)).toEqual([303, `/platform/c/${clientId}`]);
}

async function runAt(at: number): Promise<void> {
  vi.setSystemTime(at);
  await worker.scheduled(createScheduledController(), env);
  vi.useRealTimers();
}

const userIds = async () => (await rowsOf('users')).map(({ id }) => id);

it('people whom the provider of a purged workspace has made go with it, with all of their rows', async () => {
  const scene = await openWorkspace();
  const person = await seedPerson(scene);
  const removed = await seedPerson(scene);
  await run('DELETE FROM members WHERE user_id = ?', removed.userId);
  const [other, elsewhere] = [await openWorkspace(), await seedCaller()];
  const kept = await seedPerson(other);
  // The daily work ends old sessions of everyone.
  const beside = async () => {
    const rows = rowsWith(await readAllTables(), [kept.userId, elsewhere.userId]);
    return ['users', 'identities', 'members', 'api_keys'].map((table) => rows[table]);
  };
  const before = await beside();
  expect(Object.keys(rowsWith(await readAllTables(), [person.userId, person.familyId])).toSorted()).toEqual(
    expect.arrayContaining(['identities', 'members', 'refresh_tokens', 'sessions', 'token_families', 'users']),
  );
  await deleteWorkspace(scene);
  await runAt(Date.now() + 6 * DAY_MS);
  expect(await userIds()).toEqual(expect.arrayContaining([person.userId, removed.userId]));
  await runAt(Date.now() + 7 * DAY_MS + 1);
  for (const { userId, familyId, subject } of [person, removed])
    expect(rowsWith(await readAllTables(), [userId, familyId, subject])).toEqual({});
  expect(await beside()).toEqual(before);
});

it.each<[string, (person: { userId: string }, other: Caller, scene: Scene) => Promise<unknown>]>([
  ['a password', (person) => run(`UPDATE users SET password_hash = '$scrypt$x' WHERE id = ?`, person.userId)],
  [
    'a passkey',
    (person) =>
      run(
        `INSERT INTO passkeys (id, user_id, name, public_key, counter, rp_id, transports, created_at)
         VALUES ('passkey of ' || ?1, ?1, 'phone', 'key', 0, 'terse.test', '[]', 1)`,
        person.userId,
      ),
  ],
  ['another workspace', (person, other) => addTo(person, other.clientId)],
  [
    'another workspace that is deleted or suspended',
    (person, other) =>
      run(
        `INSERT INTO suspended_members (user_id, client_id, created_at, role) VALUES (?, ?, 1, 'member')`,
        person.userId,
        other.clientId,
      ),
  ],
  [
    'an identity at the provider of the service',
    async (person) => seedIdentity(await seedProvider(null, { name: 'Service' }), person),
  ],
])('a person with %s stays when the workspace is purged', async (_, give) => {
  const scene = await openWorkspace();
  const person = await seedPerson(scene);
  await give(person, await seedCaller(), scene);
  await deleteWorkspace(scene);
  await runAt(Date.now() + 7 * DAY_MS + 1);
  expect(await userIds()).toContain(person.userId);
  const providers = (await rowsOf('providers')).map(({ id }) => id);
  expect(providers).not.toContain(scene.provider.id);
  // The last owner has a password.
  expect(await userIds()).toContain(scene.owner.userId);
});

it('people of the provider are there again after the deletion of their workspace was undone', async () => {
  const scene = await openWorkspace();
  const person = await seedPerson(scene);
  const { clientId } = scene.owner;
  await deleteWorkspace(scene);
  expect((await person.browse(`/platform/c/${clientId}`)).status).toBe(410);
  await runAt(Date.now() + 3 * DAY_MS);
  expect((await scene.browse(`/platform/c/${clientId}/restore`, form({}))).status).toBe(303);
  const again = await openSession(person, { provider: scene.provider });
  expect((await again.browse(`/platform/c/${clientId}`)).status).toBe(200);
  await runAt(Date.now() + 8 * DAY_MS);
  expect(Object.keys(rowsWith(await readAllTables(), [person.userId]))).toEqual(
    expect.arrayContaining(['identities', 'members', 'users']),
  );
});

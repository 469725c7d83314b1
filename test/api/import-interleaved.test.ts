import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember, disableUser } from '../../src/accounts/operator.ts';
import { importFile, newSlug, openClient, sendFile, type Imported } from '../support/files.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { ask } from '../support/management.ts';
import { form, openBrowser } from '../support/platform.ts';
import { db, rowsOf, seedDomain } from '../support/seed.ts';

/** An import in which something else happens between any two of its trips to the database. */

afterEach(() => vi.restoreAllMocks());

/** Does something before a trip of the import to come, once, and says whether it was done. */
function beforeTrip(trip: number, happen: () => Promise<unknown>): () => boolean {
  const batch = env.DB.batch.bind(env.DB);
  let calls = 0;
  let isDone = false;
  vi.spyOn(env.DB, 'batch').mockImplementation(async (statements) => {
    calls += 1;
    if (calls === trip && !isDone) {
      isDone = true;
      await happen();
    }
    return batch(statements);
  });
  return () => isDone;
}

const ROWS = 600;

interface Scene {
  readonly manager: Awaited<ReturnType<typeof openClient>>;
  /** An owner with a session; the import is sent with the key of another member. */
  readonly owner: Caller;
  readonly host: string;
  readonly file: string;
}

async function openScene(): Promise<Scene> {
  const manager = await openClient();
  const other = await seedCaller();
  const { clientId } = manager.tenant;
  await addMember(db, other.userName, clientId, 'owner');
  // Only a last owner can delete a workspace.
  await addMember(db, manager.tenant.userName, clientId, 'member');
  const owner = { ...other, clientId };
  const host = await seedDomain(owner);
  const slug = newSlug();
  const lines = Array.from(
    { length: ROWS },
    (_, i) => `${slug}-${i},https://example.com/${i},${i % 2 === 0 ? host : ''}`,
  );
  return { manager, owner, host, file: `slug,url,custom_domain\n${lines.join('\n')}\n` };
}

/** The links of the client, by whether visitors can follow them, and their addresses. */
async function linksOf({ manager }: Scene) {
  const { clientId } = manager.tenant;
  const read = async (sql: string) => (await env.DB.prepare(sql).bind(clientId).all()).results;
  const all = await read('SELECT * FROM links WHERE client_id = ?');
  const live = all.filter((row) => row['deleted_at'] === null);
  const ofLinks = 'link_id IN (SELECT id FROM links WHERE client_id = ?)';
  return { all, live, addresses: await read(`SELECT * FROM addresses WHERE ${ofLinks}`) };
}

const domainOf = async ({ host }: Scene) => (await rowsOf('domains')).find((row) => row['host'] === host);

// A file of so many rows takes three pieces, and the trips before them.
const TRIPS = [2, 3, 4, 5, 7];

describe.each(TRIPS)('an import, before trip %i', (trip) => {
  it('the removal of its domain between two trips leaves no link of an import there, and says so of the rows that come later', async () => {
    const scene = await openScene();
    const id = String((await domainOf(scene))?.['id']);
    const path = `/v1/domains/${id}?force=true&client_id=${scene.owner.clientId}`;
    const isDone = beforeTrip(trip, async () => expect((await ask(scene.owner, 'DELETE', path)).status).toBe(204));
    const body = await importFile(scene.manager, scene.file);
    vi.restoreAllMocks();
    if (!isDone()) expect((await ask(scene.owner, 'DELETE', path)).status).toBe(204);
    const { all, live, addresses } = await linksOf(scene);
    expect(live.filter((row) => row['domain_id'] === id)).toEqual([]);
    expect(live).toHaveLength(ROWS / 2);
    expect(addresses).toHaveLength(all.length);
    const refused = body.results.filter(({ status }) => status === 'error');
    expect(refused.length + body.created).toBe(ROWS);
    expect(new Set(refused.map(({ error }) => error?.split(':')[0]))).toEqual(
      new Set(refused.length > 0 ? ['unknown_domain'] : []),
    );
    // Without an address that was once there, its row is deleted.
    expect((await domainOf(scene))?.['removed_at']).not.toBeNull();
  });

  it('the deletion of its workspace between two trips ends an import, and leaves whole links', async () => {
    const scene = await openScene();
    const { browse } = await openBrowser(scene.owner);
    const path = `/platform/c/${scene.owner.clientId}/settings`;
    // Loads the page, for which the import would wait otherwise, and only as long as for its database.
    expect((await browse(path)).status).toBe(200);
    const remove = async () => {
      const sent = await browse(`${path}/delete`, form({ name: scene.owner.clientId }));
      expect(sent.status).toBe(303);
    };
    const isDone = beforeTrip(trip, remove);
    const answer = await sendFile(scene.manager, scene.file);
    const body = await answer.json<Imported>();
    vi.restoreAllMocks();
    if (!isDone()) await remove();
    expect([200, 401, 403]).toContain(answer.status);
    const { all, addresses } = await linksOf(scene);
    expect(addresses).toHaveLength(all.length);
    if (answer.status === 200) expect(all).toHaveLength(body.created);
    const again = await sendFile(scene.manager, scene.file);
    expect([401, 403]).toContain(again.status);
    expect((await linksOf(scene)).all).toHaveLength(all.length);
  });

  it.each<[what: string, statuses: number[], happen: (scene: Scene) => Promise<unknown>]>([
    [
      'the removal of its sender, with the keys,',
      [200, 401],
      ({ owner, manager }) =>
        ask(owner, 'DELETE', `/v1/members/${manager.tenant.userId}?keys=revoke&client_id=${owner.clientId}`),
    ],
    [
      'the removal of its sender, whose keys are adopted,',
      [200],
      ({ owner, manager }) =>
        ask(owner, 'DELETE', `/v1/members/${manager.tenant.userId}?keys=adopt&client_id=${owner.clientId}`),
    ],
    ['the disabling of its sender', [200, 401], ({ manager }) => disableUser(db, manager.tenant.userName)],
  ])(
    '%s between two trips of an import leaves whole links, and the rest can be sent again',
    async (_, statuses, happen) => {
      const scene = await openScene();
      beforeTrip(trip, () => happen(scene));
      const answer = await sendFile(scene.manager, scene.file);
      expect(statuses).toContain(answer.status);
      const body = await answer.json<Imported>();
      vi.restoreAllMocks();
      const { all, live, addresses } = await linksOf(scene);
      expect([live.length, addresses.length]).toEqual([all.length, all.length]);
      if (answer.status === 200) expect([body.created, all.length]).toEqual([ROWS, ROWS]);
      const path = `/v1/links/import?client_id=${scene.owner.clientId}`;
      const again = await (await ask(scene.owner, 'POST', path, scene.file)).json<Imported>();
      expect(again).toMatchObject({ created: ROWS - all.length, unchanged: all.length, errors: 0 });
    },
  );
});

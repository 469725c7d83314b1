import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { seedCaller } from '../../support/forms.ts';
import { form, openBrowser, placeOf } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

/** The rest of a deletion, or of its undo, after a request that ran out of time or lost the database. */

async function seedScene() {
  const owner = await seedCaller();
  const [left, removed] = [await seedLink(owner), await seedLink(owner)];
  await call(`/v1/links/${removed.id}`, { method: 'DELETE', headers: { 'X-API-Key': owner.apiKey } });
  const { browse } = await openBrowser(owner);
  const path = `/platform/c/${owner.clientId}`;
  return {
    owner,
    left,
    removed,
    open: async () => (await browse(path)).status,
    remove: () => browse(`${path}/settings/delete`, form({ name: owner.clientId })),
    isDeleted: async (link: { id: string }) =>
      (await rowsOf('links')).find(({ id }) => id === link.id)?.['deleted_at'] !== null,
    deletions: async () => (await rowsOf('deletions')).filter((row) => row['client_id'] === owner.clientId),
  };
}

it('the removal of a workspace continues when a page of the deleted workspace is opened', async () => {
  const { left, open, remove, isDeleted } = await seedScene();
  await remove();
  await env.DB.prepare('UPDATE links SET deleted_at = NULL WHERE id = ?').bind(left.id).run();
  expect(await open()).toBe(410);
  await expect.poll(() => isDeleted(left)).toBe(true);
});

it('the removal of a workspace continues when a page of the restored workspace is opened, which can then be deleted again', async () => {
  const { owner, left, removed, open, remove, isDeleted, deletions } = await seedScene();
  const at = Date.now() + 1;
  await env.DB.batch([
    env.DB.prepare('UPDATE links SET deleted_at = ?2 WHERE id = ?1').bind(left.id, at),
    env.DB.prepare('INSERT INTO deletions VALUES (?1, ?2, ?3, ?3, ?3)').bind(owner.clientId, owner.userId, at),
  ]);
  const refused = await remove();
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('are still being restored')]);
  expect(await open()).toBe(200);
  await expect.poll(deletions).toEqual([]);
  expect([await isDeleted(left), await isDeleted(removed)]).toEqual([false, true]);
  expect(placeOf(await remove())).toEqual([303, `/platform/c/${owner.clientId}`]);
});

import { expect, it } from 'vitest';
import { serveDatabase } from '../../src/database/service-database.ts';
import { EventNotifier } from '../../src/events/notify.ts';
import { importLinks } from '../../src/links/import/import.ts';
import { finishImport } from '../../src/links/import/import-event.ts';
import { parseLinkFile } from '../../src/links/import/import-file.ts';
import { credentialOf } from '../support/edits.ts';
import { db } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';
import { eventRowsOf, openWithHook, uniqueSlug } from '../support/webhooks.ts';

/** An import of a file in pieces, and what was sent to the queue. */
async function openImport() {
  const { clientId, tenant } = await openWithHook();
  const sent: string[] = [];
  const waking = new EventNotifier(() => ({ send: async ({ events }) => void sent.push(...events) }));
  const actor = { credential: credentialOf(tenant), clientId };
  const part = { clientId, importId: 'one' };
  const send = async (slugs: readonly string[], before: Parameters<typeof finishImport>[2]) => {
    const text = `slug,url\n${slugs.map((slug) => `${slug},https://example.com/${slug}\n`).join('')}`;
    const file = await parseLinkFile([Buffer.from(text)], 'csv', { requestUrl: new URL(ORIGIN), publicUrl: null });
    await importLinks({ db: serveDatabase(db, waking) }, actor, file.rows, {
      dryRun: false,
      part: { ...part, before },
    });
  };
  const finish = (counts: Parameters<typeof finishImport>[2], other = {}) =>
    finishImport(serveDatabase(db, waking), { ...part, ...other }, counts);
  const events = async () => (await eventRowsOf(clientId)).map(({ data }) => JSON.parse(data));
  return { clientId, sent, send, finish, events };
}

const slugs = (count: number) => Array.from({ length: count }, () => uniqueSlug());

it('an import in pieces has one event, which is sent at its end', async () => {
  const { clientId, sent, send, finish, events } = await openImport();
  const first = slugs(300);
  await send(first, { rows: 0, unchanged: 0, failed: 0 });
  await send([...slugs(2), first[0]!, 'not valid'], { rows: 300, unchanged: 0, failed: 0 });
  // An import that is interrupted now has these counts.
  expect(await events()).toEqual([{ rows: 304, created: 302, unchanged: 1, failed: 1 }]);
  await send([first[1]!], { rows: 304, unchanged: 1, failed: 1 });
  expect(sent).toEqual([]);
  await finish({ rows: 305, unchanged: 2, failed: 1 });
  expect(await events()).toEqual([{ rows: 305, created: 302, unchanged: 2, failed: 1 }]);
  expect(sent).toEqual([(await eventRowsOf(clientId))[0]!.id]);
});

it('an import that continues after its event was dispatched has another one', async () => {
  const { clientId, sent, send, finish, events } = await openImport();
  const dispatch = async () =>
    db.batch([{ sql: 'UPDATE events SET dispatched_at = 1 WHERE client_id = ?1', params: [clientId] }]);
  await send(slugs(2), { rows: 0, unchanged: 0, failed: 0 });
  await dispatch();
  await send(slugs(3), { rows: 2, unchanged: 0, failed: 0 });
  await dispatch();
  await send(slugs(1), { rows: 5, unchanged: 0, failed: 0 });
  await send(slugs(1), { rows: 6, unchanged: 0, failed: 0 });
  await finish({ rows: 7, unchanged: 0, failed: 0 });
  expect(await events()).toEqual([
    { rows: 2, created: 2, unchanged: 0, failed: 0 },
    { rows: 5, created: 3, unchanged: 0, failed: 0 },
    { rows: 7, created: 2, unchanged: 0, failed: 0 },
  ]);
  const ids = (await eventRowsOf(clientId)).map(({ id }) => id);
  expect(ids.slice(1)).toEqual([`${ids[0]}_1`, `${ids[0]}_2`]);
  expect(sent).toEqual([ids[2]]);
});

it('an import of another client, or another one of this client, changes no event', async () => {
  const { sent, send, finish, events } = await openImport();
  await send(slugs(2), { rows: 0, unchanged: 0, failed: 0 });
  await finish({ rows: 9, unchanged: 9, failed: 9 }, { clientId: 'another' });
  await finish({ rows: 9, unchanged: 9, failed: 9 }, { importId: 'two' });
  expect(await events()).toEqual([{ rows: 2, created: 2, unchanged: 0, failed: 0 }]);
  expect(sent).toEqual([]);
});

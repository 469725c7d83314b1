import { describe, expect, it } from 'vitest';
import { serveDatabase } from '../../src/database/service-database.ts';
import { EventNotifier } from '../../src/events/notify.ts';
import { editMany } from '../../src/links/edit/edit-many.ts';
import { undoMany } from '../../src/links/edit/undo-many.ts';
import { importLinks } from '../../src/links/import/import.ts';
import { parseLinkFile } from '../../src/links/import/import-file.ts';
import { credentialOf, openEditingIsolate } from '../support/edits.ts';
import { db } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';
import { eventRowsOf, eventsOf, openWithHook, uniqueSlug } from '../support/webhooks.ts';

const { tools } = openEditingIsolate();

const parseFile = (text: string) => {
  async function* chunks() {
    yield Buffer.from(text);
  }
  return parseLinkFile(chunks(), 'csv', { requestUrl: new URL(ORIGIN), publicUrl: null });
};

describe('several links at once', () => {
  it('several links at once have an event each, with what changed', async () => {
    const { clientId, make, tenant, forget } = await openWithHook();
    const ids = [await make({ campaign_name: 'Old' }), await make()];
    const actor = { credential: credentialOf(tenant), clientId: null };
    await editMany(tools, actor, [ids[1]!], 'disable');
    await forget();
    const changed = async (action: Parameters<typeof editMany>[3], value?: string) => {
      await editMany(tools, actor, ids, action, value === undefined ? {} : { value });
      const events = await eventsOf(clientId);
      await forget();
      const byId = new Map(events.map(({ type, data }) => [data.id, [type, data.previous ?? null]]));
      return ids.map((id) => byId.get(id));
    };
    const off = { disabled: false, state: 'active' };
    const on = { disabled: true, state: 'disabled' };
    expect(await changed('disable')).toEqual([['link.updated', off], undefined]);
    expect(await changed('enable')).toEqual([
      ['link.updated', on],
      ['link.updated', on],
    ]);
    expect(await changed('campaign', 'New')).toEqual([
      ['link.updated', { campaign_name: 'Old' }],
      ['link.updated', { campaign_name: null }],
    ]);
    expect(await changed('delete')).toEqual([
      ['link.deleted', null],
      ['link.deleted', null],
    ]);
    expect(await changed('delete')).toEqual([undefined, undefined]);
    const deleted = ['link.updated', { state: 'deleted' }];
    expect(await changed('restore')).toEqual([deleted, deleted]);
  });

  it('several links at once each have an event when a change is undone, unless they are left as they are', async () => {
    const { clientId, make, tenant, forget } = await openWithHook();
    const ids = [await make({ campaign_name: 'Old' }), await make(), await make()];
    const actor = { credential: credentialOf(tenant), clientId: null };
    const edit = crypto.randomUUID();
    await editMany(tools, actor, ids, 'campaign', { value: 'New', editId: edit });
    await editMany(tools, actor, [ids[0]!], 'disable');
    await editMany(tools, actor, [ids[2]!], 'campaign', { value: 'Newer' });
    await forget();
    const undone = await undoMany(tools, actor, ids, 'undo_campaign', { edit }, crypto.randomUUID());
    expect(undone).toEqual({ restored: ids.slice(0, 2), left: [{ id: ids[2], reason: 'changed' }] });
    const events = new Map((await eventsOf(clientId)).map(({ type, data }) => [data.id, [type, data.previous]]));
    const updated = ['link.updated', { campaign_name: 'New' }];
    expect(ids.map((id) => events.get(id))).toEqual([updated, updated, undefined]);
    await forget();
    const again = await undoMany(tools, actor, ids, 'undo_campaign', { edit }, crypto.randomUUID());
    expect([again.restored, again.left.map(({ reason }) => reason)]).toEqual([[], ['changed', 'changed', 'changed']]);
    expect(await eventsOf(clientId)).toEqual([]);
  });

  it('several links at once each have an event when they get a tag, and when they lose it', async () => {
    const { clientId, make, tenant, forget } = await openWithHook();
    const ids = [await make({ tags: ['Kept', 'Other'] }), await make()];
    const actor = { credential: credentialOf(tenant), clientId: null };
    await forget();
    await editMany(tools, actor, [ids[1]!], 'tag', { value: 'kept' });
    await editMany(tools, actor, [ids[0]!], 'untag', { value: 'other' });
    const events = await eventsOf(clientId);
    expect(events.map(({ data }) => [data.id, data.tags, data.previous])).toEqual(
      expect.arrayContaining([
        [ids[1], ['Kept'], { tags: [] }],
        [ids[0], ['Kept'], { tags: ['Kept', 'Other'] }],
      ]),
    );
  });

  it('several links of a campaign that is renamed have an event each', async () => {
    const { clientId, make, ask, forget } = await openWithHook();
    const ids = [await make({ campaign_name: 'Spring' }), await make({ campaign_name: 'Spring' })];
    await forget();
    expect((await ask('PATCH', '/v1/campaigns/Spring', { name: 'Summer' })).status).toBe(200);
    const events = await eventsOf(clientId);
    expect(events.map(({ type, data }) => [type, data.id, data.campaign_name, data.previous])).toEqual(
      expect.arrayContaining(ids.map((id) => ['link.updated', id, 'Summer', { campaign_name: 'Spring' }])),
    );
    expect(events).toHaveLength(2);
  });
});

describe('an import', () => {
  const rows = (...slugs: readonly string[]) =>
    `slug,url\n${slugs.map((slug) => `${slug},https://a.example/\n`).join('')}`;
  const file = (text: string) => ({ method: 'POST', body: text, headers: { 'Content-Type': 'text/csv' } });

  it('an import has one event, with counts, and none if it creates nothing', async () => {
    const { clientId, call, forget } = await openWithHook();
    const [one, two, three] = [uniqueSlug(), uniqueSlug(), uniqueSlug()];
    expect((await call('/v1/links/import?dry_run=true', file(rows(one, two)))).status).toBe(200);
    expect(await eventsOf(clientId)).toEqual([]);
    await call('/v1/links/import', file(rows(one, two)));
    expect(await eventsOf(clientId)).toEqual([
      { type: 'links.imported', data: { rows: 2, created: 2, unchanged: 0, failed: 0 } },
    ]);
    await forget();
    await call('/v1/links/import', file(rows(one, two)));
    expect(await eventsOf(clientId)).toEqual([]);
    await call('/v1/links/import', file(rows(one, 'a b', three)));
    expect(await eventsOf(clientId)).toEqual([
      { type: 'links.imported', data: { rows: 3, created: 1, unchanged: 1, failed: 1 } },
    ]);
  });

  it('an import of several round trips has one event too', async () => {
    const { clientId, call } = await openWithHook();
    const slugs = Array.from({ length: 600 }, () => uniqueSlug());
    expect((await call('/v1/links/import', file(rows(...slugs)))).status).toBe(200);
    expect(await eventsOf(clientId)).toEqual([
      { type: 'links.imported', data: { rows: 600, created: 600, unchanged: 0, failed: 0 } },
    ]);
  });

  it('an import has all counts also if its last round trip creates nothing, and its id is sent once', async () => {
    const { clientId, call, forget, tenant } = await openWithHook();
    const [first, last] = [uniqueSlug(), uniqueSlug()];
    await call('/v1/links/import', file(rows(last)));
    await forget();
    const content = await parseFile(rows(first, ...Array.from({ length: 249 }, () => uniqueSlug()), last));
    const sent: (readonly string[])[] = [];
    const waking = new EventNotifier(() => ({ send: async ({ events }) => void sent.push(events) }));
    const actor = { credential: credentialOf(tenant), clientId: null };
    await importLinks({ db: serveDatabase(db, waking) }, actor, content.rows, { dryRun: false });
    const [row] = await eventRowsOf(clientId);
    expect(JSON.parse(row!.data)).toEqual({ rows: 251, created: 250, unchanged: 1, failed: 0 });
    expect(sent).toEqual([[row!.id]]);
  });
});

it('links of a domain that is removed with them have an event each', async () => {
  const { clientId, make, ask, forget, seedHost } = await openWithHook();
  const { id, host } = await seedHost();
  const ids = [await make({ custom_domain: host }), await make({ custom_domain: host })];
  await forget();
  expect((await ask('DELETE', `/v1/domains/${id}?force=true`)).status).toBe(204);
  const events = await eventsOf(clientId);
  const deleted = events.map(({ type, data }) => `${type} ${String(data['state'])} ${String(data['id'])}`);
  expect(new Set(deleted)).toEqual(new Set(ids.map((link) => `link.deleted deleted ${link}`)));
  expect(events).toHaveLength(2);
});

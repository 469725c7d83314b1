import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { open, type Manager } from '../support/manage.ts';
import { addWebhook, eventRowsOf, eventsOf } from '../support/webhooks.ts';

async function openWithHook() {
  const manager = await open();
  const { clientId } = manager.tenant;
  await addWebhook(clientId);
  return { ...manager, clientId };
}

/** The managed record, without the clicks, which other stores have. */
async function recordOf(read: Manager['read'], id: string) {
  const { clicks: _, clicks_left: __, ...record } = (await read(id)) as unknown as Record<string, unknown>;
  return record;
}

/** Removes the events so far. */
async function forget(clientId: string) {
  await env.DB.prepare('DELETE FROM events WHERE client_id = ?').bind(clientId).run();
}

describe('link.created', () => {
  it('has the record as GET returns it', async () => {
    const { clientId, make, read } = await openWithHook();
    const id = await make({
      tags: ['Two', 'one'],
      campaign_name: 'Spring',
      metadata: '{"a": 1}',
      password: 'secret-password',
      rules: [{ if: [{ type: 'country', in: ['DE'] }], url: 'https://de.example/' }],
      expires_at: '2099-01-01T00:00:00.000Z',
      max_clicks: 5,
    });
    const record = await recordOf(read, id);
    const [event, ...more] = await eventsOf(clientId);
    expect(more).toEqual([]);
    expect(event).toEqual({ type: 'link.created', data: record });
    const [row] = await eventRowsOf(clientId);
    expect(row).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      link_campaign: 'Spring',
      webhook_id: null,
      dispatched_at: null,
    });
    expect(JSON.parse(row!.link_tags!)).toHaveLength(2);
    expect(JSON.stringify(row)).not.toMatch(/secret-password|scrypt/);
  });
});

describe('link.updated', () => {
  it('has the former values of what changed', async () => {
    const { clientId, make, ask, read } = await openWithHook();
    const id = await make({ slug: 'Former-1', tags: ['One'] });
    const before = await read(id);
    await forget(clientId);
    const { status } = await ask('PATCH', `/v1/links/${id}`, {
      url: 'https://other.example/',
      slug: 'Later-1',
      tags: ['One', 'Two'],
      disabled: true,
    });
    expect(status).toBe(200);
    const [event, ...more] = await eventsOf(clientId);
    expect(more).toEqual([]);
    expect(event?.data.previous).toEqual({
      url: before.url,
      slug: before.slug,
      short_url: before.short_url,
      aliases: [],
      tags: ['One'],
      disabled: false,
      state: 'active',
    });
    const { previous: _, ...data } = event!.data;
    expect(data).toEqual(await recordOf(read, id));
  });
});

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { form, placeOf, textOf } from '../../support/platform.ts';
import { seedWebhookRow } from '../../support/webhook-owners.ts';
import { openWebhookPages } from '../../support/webhook-scene.ts';

async function openDeliveries() {
  const scene = await openWebhookPages();
  const id = await seedWebhookRow(scene.caller.clientId);
  const event = (name: string) => `evt_${scene.caller.clientId}_${name}`;
  const seed = async (name: string, row: { next?: number; delivered?: number; tries?: number }, at = Date.now()) => {
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO events (id, client_id, type, happened_at, data, dispatched_at) VALUES (?1, ?2, ?3, ?4, '{}', ?4)`,
      ).bind(event(name), scene.caller.clientId, `link.${name}`, at),
      env.DB.prepare(
        `INSERT INTO deliveries (webhook_id, event_id, created_at, tries, next_try_at, delivered_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
      ).bind(id, event(name), at, row.tries ?? 1, row.next ?? null, row.delivered ?? null),
    ]);
  };
  return { ...scene, id, event, seed, place: `${scene.path}/${id}` };
}

describe('the deliveries of a webhook', () => {
  it('the deliveries of a webhook are shown with their state, all or those that failed', async () => {
    const { browse, place, seed, event } = await openDeliveries();
    expect(await textOf(browse(place))).toContain('Nothing has been sent yet.');
    await seed('created', { delivered: 5 });
    await seed('updated', { next: Date.now() + 1000 });
    await seed('deleted', {});
    const all = await textOf(browse(place));
    for (const name of ['created', 'updated', 'deleted'])
      expect(all).toContain(`href="${place}/deliveries/${event(name)}"`);
    for (const badge of ['Delivered', 'Waiting', 'Failed']) expect(all).toContain(`>${badge}</span>`);
    const failed = await textOf(browse(`${place}?show=failed`));
    expect(failed).toContain(event('deleted'));
    expect(failed).not.toContain(event('created'));
    expect(failed).toContain('>Redeliver all</button>');
    expect(all).not.toContain('>Redeliver all</button>');
  });

  it('the deliveries of a webhook that failed and will be repeated are among those that failed, and can be sent again at once', async () => {
    const { browse, place, seed, event, id } = await openDeliveries();
    await seed('updated', { next: Date.now() + 5 * 3_600_000, tries: 1 });
    await env.DB.prepare(
      `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms, status) VALUES (?, ?, 1, 1, 1, 503)`,
    )
      .bind(id, event('updated'))
      .run();
    await seed('created', { next: Date.now() + 1000, tries: 0 });
    const failed = await textOf(browse(`${place}?show=failed`));
    expect(failed).toContain(`action="${place}/deliveries/${event('updated')}"`);
    expect(failed).toContain('>Redeliver all</button>');
    expect(failed).not.toContain(event('created'));
    expect(await textOf(browse(place))).not.toContain(`action="${place}/deliveries/${event('created')}"`);
  });

  it('the deliveries of a webhook continue page by page, with the filter', async () => {
    const { browse, place, seed } = await openDeliveries();
    for (let n = 0; n < 25; n += 1) await seed(`n${n}`, {}, Date.now() - n * 1000);
    const first = await textOf(browse(`${place}?show=failed`));
    const next = (/href="([^"]+)" rel="next"/.exec(first)?.[1] ?? '').replaceAll('&amp;', '&');
    expect(next).toMatch(/\?show=failed&cursor=/);
    const second = await textOf(browse(next));
    expect(second).toContain('link.n24<');
    expect(second).not.toContain('link.n0<');
  });

  it('the deliveries of a webhook show each attempt with its status, its time and what came back', async () => {
    const { browse, place, seed, event, id } = await openDeliveries();
    await seed('deleted', { tries: 2 });
    await env.DB.batch(
      [
        [1, 500, null, 'out of <disk>'],
        [2, null, 'timeout', ''],
        [3, null, 'unreadable_secret', ''],
      ].map(([number, status, fault, answer]) =>
        env.DB.prepare(
          `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms, status, fault, answer)
           VALUES (?, ?, ?, 1, 1234, ?, ?, ?)`,
        ).bind(id, event('deleted'), number, status, fault, answer),
      ),
    );
    const page = await textOf(browse(`${place}/deliveries/${event('deleted')}`));
    for (const text of [
      'Status 500',
      '1234 ms',
      'out of &lt;disk&gt;',
      'No response within 15 seconds',
      'Not sent: the service cannot decrypt the secret of this webhook. Roll the secret.',
    ])
      expect(page).toContain(text);
  });

  it('the deliveries of a webhook are sent again, one or all that failed lately', async () => {
    const { browse, place, seed, event, id } = await openDeliveries();
    const HOUR = 3_600_000;
    await seed('deleted', {});
    await seed('updated', {}, Date.now() - 30 * HOUR);
    await seed('created', { delivered: 5 });
    const waiting = async () =>
      (
        await env.DB.prepare(
          'SELECT event_id FROM deliveries WHERE webhook_id = ? AND next_try_at IS NOT NULL ORDER BY event_id',
        )
          .bind(id)
          .all()
      ).results.map((row) => row['event_id']);
    const one = `${place}/deliveries/${event('created')}`;
    expect(placeOf(await browse(one, form({})))).toEqual([303, one]);
    expect(await waiting()).toEqual([event('created')]);
    expect(placeOf(await browse(`${place}/redeliver`, form({ hours: '24' })))).toEqual([303, place]);
    expect(await waiting()).toEqual([event('created'), event('deleted')]);
    expect((await browse(`${place}/redeliver`, form({ hours: '5' }))).status).toBe(400);
    expect((await browse(`${place}/redeliver`, form({ hours: '168' }))).status).toBe(303);
    expect(await waiting()).toHaveLength(3);
  });

  it('the deliveries of a webhook begin with a test event', async () => {
    const { browse, place, id } = await openDeliveries();
    expect(placeOf(await browse(`${place}/test`, form({})))).toEqual([303, place]);
    const { results } = await env.DB.prepare('SELECT type FROM events WHERE webhook_id = ?').bind(id).all();
    expect(results).toEqual([{ type: 'webhook.test' }]);
  });

  it('the deliveries of a webhook are not sent again while the webhook is disabled', async () => {
    const { browse, place, seed, event } = await openDeliveries();
    await seed('deleted', {});
    await browse(`${place}/disable`, form({}));
    const page = await textOf(browse(`${place}?show=failed`));
    expect(page).not.toContain('Redeliver');
    expect((await browse(`${place}/deliveries/${event('deleted')}`, form({}))).status).toBe(409);
  });
});

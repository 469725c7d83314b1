import { describe, expect, it } from 'vitest';
import { notifyQueue, EventNotifier, type Recorded } from '../../src/events/notify.ts';
import { serveDatabase } from '../../src/database/service-database.ts';
import type { Database } from '../../src/database/database.ts';
import { matchesFilter } from '../../src/events/matches.ts';

/** A database whose statements return what they are called. */
const database: Database = {
  first: async () => null,
  batch: async (statements) => statements.map(({ sql }) => sql.split(' ').map((id) => ({ id }))) as never,
};

const delivery = { webhook_id: 'w', event_id: 'evt_4', next_try_at: 5 };

describe('a batch', () => {
  it('a batch of statements sends the events and deliveries that it has recorded, and nothing else', async () => {
    const sent: unknown[] = [];
    const deferred: Promise<void>[] = [];
    const queue = { send: async (recorded: Recorded) => void sent.push(recorded) };
    const withDelivery: Database = {
      ...database,
      batch: async (statements) => {
        const results: readonly (readonly unknown[])[] = await database.batch(statements);
        return results.map((rows, index) => (statements[index]!.returnsDeliveries ? [delivery] : rows)) as never;
      },
    };
    const db = serveDatabase(withDelivery, {
      onResults: notifyQueue(
        () => queue,
        (work) => deferred.push(work),
      ),
    });
    const results = await db.batch([
      { sql: 'evt_1 evt_2', params: [], returnsEvents: true },
      { sql: 'link', params: [] },
      { sql: 'delivery', params: [], returnsDeliveries: true },
      { sql: 'evt_3', params: [], returnsEvents: true },
    ]);
    expect(results).toEqual([[{ id: 'evt_1' }, { id: 'evt_2' }], [{ id: 'link' }], [delivery], [{ id: 'evt_3' }]]);
    await Promise.all(deferred);
    expect(sent).toEqual([{ events: ['evt_1', 'evt_2', 'evt_3'], deliveries: [delivery] }]);
  });

  it('a batch of statements without events sends nothing', async () => {
    const deferred: unknown[] = [];
    const db = serveDatabase(database, {
      onResults: notifyQueue(
        () => ({ send: () => Promise.reject(new Error('unused')) }),
        (work) => deferred.push(work),
      ),
    });
    await db.batch([{ sql: 'link', params: [] }]);
    expect(deferred).toEqual([]);
  });

  it('a batch of statements does not fail with the queue, and does not wait for it', async () => {
    const waking = new EventNotifier(() => ({ send: () => Promise.reject(new Error('Queue send failed: 429')) }));
    expect(await serveDatabase(database, waking).batch([{ sql: 'evt_1', params: [], returnsEvents: true }])).toEqual([
      [{ id: 'evt_1' }],
    ]);
    await waking.done();
  });
});

describe('the filter of a webhook', () => {
  const link = { linkTags: '["t1","t2"]', linkCampaign: 'Frühling' };

  it.each([
    [{ tagId: null, campaign: null }, true],
    [{ tagId: 't2', campaign: null }, true],
    [{ tagId: 't3', campaign: null }, false],
    [{ tagId: null, campaign: 'FRÜHLING' }, true],
    [{ tagId: 't1', campaign: 'frühling' }, true],
    [{ tagId: 't1', campaign: 'Herbst' }, false],
  ])('the filter of a webhook: %o', (filter, isSent) => {
    expect(matchesFilter(filter, link)).toBe(isSent);
    expect(matchesFilter(filter, { linkTags: null, linkCampaign: null })).toBe(
      filter.tagId === null && filter.campaign === null,
    );
  });
});

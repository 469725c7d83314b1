import { beforeEach, describe, expect, it } from 'vitest';
import { EventNotifier, type Recorded } from '../../src/events/notify.ts';
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
  const sent: Recorded[] = [];
  const waking = new EventNotifier(() => ({ send: async (recorded) => void sent.push(recorded) }));

  beforeEach(() => void sent.splice(0));

  it('a batch of statements sends the events and deliveries that it has recorded, and nothing else', async () => {
    const withDelivery: Database = {
      ...database,
      batch: async (statements) => {
        const results: readonly (readonly unknown[])[] = await database.batch(statements);
        return results.map((rows, index) => (statements[index]!.returnsDeliveries ? [delivery] : rows)) as never;
      },
    };
    const results = await serveDatabase(withDelivery, waking).batch([
      { sql: 'evt_1 evt_2', params: [], returnsEvents: true },
      { sql: 'link', params: [] },
      { sql: 'delivery', params: [], returnsDeliveries: true },
      { sql: 'evt_3', params: [], returnsEvents: true },
    ]);
    expect(results).toEqual([[{ id: 'evt_1' }, { id: 'evt_2' }], [{ id: 'link' }], [delivery], [{ id: 'evt_3' }]]);
    await waking.done();
    expect(sent).toEqual([{ events: ['evt_1', 'evt_2', 'evt_3'], deliveries: [delivery], mails: [] }]);
  });

  it('a batch of statements that has recorded nothing sends nothing', async () => {
    const db = serveDatabase({ ...database, batch: async (statements) => statements.map(() => []) as never }, waking);
    expect(
      await db.batch([
        { sql: '', params: [], returnsEvents: true },
        { sql: 'link', params: [] },
      ]),
    ).toEqual([[], []]);
    expect(await serveDatabase(database, waking).batch([{ sql: 'link', params: [] }])).toEqual([[{ id: 'link' }]]);
    await waking.done();
    expect(sent).toEqual([]);
  });

  it('a batch of statements does not fail with the queue, and does not wait for it', async () => {
    const failing = new EventNotifier(() => ({ send: () => Promise.reject(new Error('Queue send failed: 429')) }));
    expect(await serveDatabase(database, failing).batch([{ sql: 'evt_1', params: [], returnsEvents: true }])).toEqual([
      [{ id: 'evt_1' }],
    ]);
    await failing.done();
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

import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLog, seedStates } from '../support/delivery-log.ts';
import { seedFailedDelivery } from '../support/deliveries.ts';
import { refused } from '../support/webhook-owners.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Delivery {
  readonly event_id: string;
  readonly state: string;
  readonly attempts: number;
}
interface List {
  readonly deliveries: readonly Delivery[];
  readonly cursor: string | null;
}

describe('GET /v1/webhooks/{id}/deliveries', () => {
  it('GET /v1/webhooks/{id}/deliveries lists deliveries newest first, by state, and page by page', async () => {
    const { ask, clientId } = await openLog();
    const { webhook, delivered, failed, pending } = await seedStates(clientId);
    const list = async (query: string) => (await ask<List>('GET', `/v1/webhooks/${webhook}/deliveries${query}`)).body;
    const ids = async (query: string) => (await list(query)).deliveries.map(({ event_id }) => event_id);
    expect((await list('')).deliveries[0]).toEqual({
      event_id: pending,
      type: 'key.created',
      happened_at: '2026-05-20T11:59:55.002Z',
      state: 'pending',
      attempts: 0,
      next_attempt_at: '2026-05-20T11:59:57.002Z',
      delivered_at: null,
    });
    expect(await ids('')).toEqual([pending, failed, delivered]);
    expect(await ids('?state=pending')).toEqual([pending]);
    expect(await ids('?state=failed')).toEqual([failed]);
    expect(await ids('?state=delivered')).toEqual([delivered]);
    const first = await list('?limit=2');
    expect(first.deliveries.map(({ event_id }) => event_id)).toEqual([pending, failed]);
    expect(await list(`?limit=2&cursor=${first.cursor}`)).toMatchObject({
      deliveries: [{ event_id: delivered, state: 'delivered', delivered_at: '2026-05-20T12:00:00.000Z' }],
      cursor: null,
    });
    // A cursor is bound to its list.
    const other = await ask('GET', `/v1/webhooks/${webhook}/deliveries?state=failed&cursor=${first.cursor}`);
    expect([other.status, other.body]).toMatchObject([400, { error: expect.stringMatching(/^invalid_cursor: /) }]);
    const bad = await ask('GET', `/v1/webhooks/${webhook}/deliveries?state=lost`);
    expect([bad.status, bad.body]).toEqual([
      400,
      refused('invalid_state: state must be one of pending, delivered, failed.'),
    ]);
  });
});

describe('GET /v1/webhooks/{id}/deliveries/{event_id}', () => {
  it('GET /v1/webhooks/{id}/deliveries/{event_id} returns the response of the receiver to each attempt', async () => {
    const { ask, clientId } = await openLog();
    const { webhook, event } = await seedFailedDelivery(clientId);
    const { status, body } = await ask('GET', `/v1/webhooks/${webhook}/deliveries/${event}`);
    expect([status, body]).toEqual([
      200,
      {
        event_id: event,
        type: 'key.created',
        happened_at: '2026-05-20T12:00:00.000Z',
        state: 'failed',
        attempts: 1,
        next_attempt_at: null,
        delivered_at: null,
        log: [
          {
            number: 1,
            at: '2026-05-20T12:00:00.000Z',
            milliseconds: 12,
            status: 503,
            reason: null,
            response: 'down',
          },
        ],
      },
    ]);
    const unknown = await ask('GET', `/v1/webhooks/${webhook}/deliveries/evt_none`);
    expect([unknown.status, unknown.body]).toEqual([
      404,
      refused('not_found: The webhook has no delivery of an event with this id. Deliveries are kept for 30 days.'),
    ]);
  });
});

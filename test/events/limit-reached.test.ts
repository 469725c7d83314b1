import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { recordLimitReached } from '../../src/links/events/limit-reached.ts';
import { CHROME, logged } from '../support/clicks.ts';
import { db } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { eventRowsOf, eventsOf, openWithHook } from '../support/webhooks.ts';

afterEach(() => void vi.restoreAllMocks());

describe('link.limit_reached', () => {
  it('link.limit_reached comes once, when the last click is taken', async () => {
    const { clientId, make, ask } = await openWithHook({ events: ['link.limit_reached'] });
    const id = await make({ max_clicks: 2 });
    const visit = async () => (await openIsolate()(`/${id}`, { headers: { 'User-Agent': CHROME } })).status;
    expect(await visit()).toBe(302);
    expect(await eventsOf(clientId)).toEqual([]);
    expect([await visit(), await visit(), await visit()]).toEqual([302, 410, 410]);
    const events = await eventsOf(clientId);
    expect(events.map(({ type, data }) => [type, data['id'], data['max_clicks']])).toEqual([
      ['link.limit_reached', id, 2],
    ]);
    await ask('PATCH', `/v1/links/${id}`, { max_clicks: 3 });
    expect([await visit(), await visit()]).toEqual([302, 410]);
    expect((await eventsOf(clientId)).map(({ data }) => data['max_clicks'])).toEqual([2, 3]);
  });

  it('link.limit_reached is sent with the origin of the visit, for its short link', async () => {
    const { clientId, make } = await openWithHook({ events: ['link.limit_reached'] });
    const id = await make({ max_clicks: 1 });
    const send = vi.spyOn(env.WEBHOOKS, 'sendBatch');
    expect((await openIsolate()(`/${id}`, { headers: { 'User-Agent': CHROME } })).status).toBe(302);
    const [{ id: event } = { id: '' }] = await eventRowsOf(clientId);
    const bodies = send.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body));
    expect(bodies).toEqual([{ event, origin: 'https://terse.test' }]);
  });

  it('link.limit_reached is recorded by another attempt if the database fails, and once if the visit is repeated', async () => {
    const { clientId, make } = await openWithHook({ events: ['link.limit_reached'] });
    const id = await make({ max_clicks: 1 });
    const limit = { max: 1, since: 5, revision: 5 };
    vi.spyOn(db, 'batch').mockRejectedValueOnce(new Error('D1_ERROR: Network connection lost.'));
    const problems = logged();
    await recordLimitReached(db, id, limit);
    await recordLimitReached(db, id, limit);
    expect((await eventsOf(clientId)).map(({ type }) => type)).toEqual(['link.limit_reached']);
    expect(problems()).toEqual([]);
  });

  it('link.limit_reached that cannot be recorded is logged, and fails nothing', async () => {
    vi.spyOn(db, 'batch').mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
    vi.spyOn(scheduler, 'wait').mockResolvedValue();
    const problems = logged();
    await recordLimitReached(db, 'b4cd3fgh', { max: 1, since: 5, revision: 5 });
    expect(problems().map(({ event, link_id: link }) => [event, link])).toEqual([['event_not_recorded', 'b4cd3fgh']]);
  });
});

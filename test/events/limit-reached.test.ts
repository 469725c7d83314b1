import { describe, expect, it } from 'vitest';
import { CHROME } from '../support/clicks.ts';
import { openIsolate } from '../support/service.ts';
import { eventsOf, openWithHook } from '../support/webhooks.ts';

describe('link.limit_reached', () => {
  it('comes once, when the last click is taken', async () => {
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
});

import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clicksOf, deliver, holdQueue } from '../support/clicks.ts';
import { breakQueue, HANG_MS, endFaults, QUEUE_FAULTS } from '../support/faults.ts';
import { bearerOf, EXAMPLE, seedCaller } from '../support/forms.ts';
import { seedLink, seedTenant, signIn } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

/** Faults of an isolate by itself: its end, a clock that jumps, a queue that takes nothing. */

afterEach(endFaults);

const HOUR_MS = 3600 * 1000;

describe('an isolate that was ended with all that it remembered', () => {
  it('an isolate that was ended with all that it remembered loses no acknowledged write: the next isolate has links, edits, deletions, keys and sign-ins', async () => {
    holdQueue();
    const tenant = await seedTenant();
    const gone = openIsolate({ MEMORY_SECONDS: '3600' });
    const { access_token, refresh_token } = await signIn(tenant, gone);
    const bearer = { Authorization: `Bearer ${access_token}` };
    const json = { ...bearer, 'Content-Type': 'application/json' };
    const [made, edited, deleted] = [
      await seedLink(tenant, {}, gone),
      await seedLink(tenant, {}, gone),
      await seedLink(tenant, {}, gone),
    ];
    await gone(`/v1/links/${edited.id}`, { method: 'PATCH', headers: json, body: `{"url":"${EXAMPLE}new"}` });
    await gone(`/v1/links/${deleted.id}`, { method: 'DELETE', headers: bearer });
    const key = await (
      await gone('/v1/keys', { method: 'POST', headers: json, body: '{"name":"x","scopes":["links:read"]}' })
    ).json<{ key: string }>();

    const next = openIsolate();
    const follow = async (id: string) => {
      const response = await next(`/${id}`);
      return [response.status, response.headers.get('Location')];
    };
    expect(await follow(made.id)).toEqual([302, EXAMPLE]);
    expect(await follow(edited.id)).toEqual([302, `${EXAMPLE}new`]);
    expect(await follow(deleted.id)).toEqual([410, null]);
    expect((await next('/v1/links', { headers: { 'X-API-Key': key.key } })).status).toBe(200);
    expect((await next('/v1/links', { headers: bearer })).status).toBe(200);
    expect((await next('/tokens/refresh_token', { form: { refresh_token } })).status).toBe(201);
  });

  it('an isolate that was ended with all that it remembered loses the clicks that it has not sent, and no others', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const held = holdQueue();
    const isolate = openIsolate({ CLICK_PACK_SECONDS: '10' });
    await isolate(`/${link.id}`);
    expect(held).toHaveLength(1);
    // What gathers is sent by a request that waits, and that request is killed.
    const killed = vi.spyOn(scheduler, 'wait').mockReturnValue(new Promise(() => undefined));
    for (let i = 0; i < 3; i++) void isolate(`/${link.id}`);
    await expect.poll(() => killed.mock.calls.length).toBe(1);
    killed.mockRestore();
    await deliver(held);
    expect((await clicksOf(tenant, link)).total).toBe(1);
  });
});

describe.each(QUEUE_FAULTS)('a queue that $name', (fault) => {
  it('a fault of the queue lets a click be counted by D1 in its place, once', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    breakQueue(fault);
    expect((await openIsolate()(`/${link.id}`)).status).toBe(302);
    endFaults();
    expect((await clicksOf(tenant, link)).total).toBe(1);
  });
});

describe('a clock that jumps', () => {
  beforeEach(() => void vi.setSystemTime(Date.now()));
  const jump = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

  it.each([HOUR_MS, -HOUR_MS])(
    'a clock that jumps by %i ms makes memory ask again, and no older state is served',
    async (by) => {
      holdQueue();
      const link = await seedLink(await seedTenant());
      const isolate = openIsolate({ MEMORY_SECONDS: '10' });
      await isolate(`/${link.id}`);
      await env.DB.prepare(`UPDATE links SET url = 'https://example.com/new' WHERE id = ?`).bind(link.id).run();
      jump(by);
      expect((await isolate(`/${link.id}`)).headers.get('Location')).toBe('https://example.com/new');
    },
  );

  it('a clock that jumps back does not keep a link from being compared with D1', async () => {
    holdQueue();
    const link = await seedLink(await seedTenant());
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    for (let i = 0; i < 3; i++) await isolate(`/${link.id}`);
    await env.DB.prepare(`UPDATE links SET url = 'https://example.com/new' WHERE id = ?`).bind(link.id).run();
    jump(-HOUR_MS);
    const trips = await countTrips();
    await isolate(`/${link.id}`);
    // One reads which entries KV has not written, and one compares the link.
    expect(trips()).toEqual({ d1: 2, kvReads: 1, kvWrites: 1 });
    expect((await isolate(`/${link.id}`)).headers.get('Location')).toBe('https://example.com/new');
  });

  it('a clock that jumps back does not keep clicks in a buffer whose leader is dead', async () => {
    const link = await seedLink(await seedTenant());
    const held = holdQueue();
    const isolate = openIsolate({ CLICK_PACK_SECONDS: '10' });
    await isolate(`/${link.id}`);
    const killed = vi.spyOn(scheduler, 'wait').mockReturnValue(new Promise(() => undefined));
    void isolate(`/${link.id}`);
    await expect.poll(() => killed.mock.calls.length).toBe(1);
    killed.mockRestore();
    jump(-HOUR_MS);
    await isolate(`/${link.id}`);
    expect(held).toHaveLength(2);
  });

  it('a clock that jumps back does not lengthen the minute in which a password is remembered', async () => {
    const tenant = await seedTenant();
    const isolate = openIsolate();
    await signIn(tenant, isolate);
    const limit = vi.spyOn(env.SIGN_IN_PAIR_LIMIT, 'limit');
    await signIn(tenant, isolate);
    expect(limit).not.toHaveBeenCalled();
    jump(-HOUR_MS);
    await signIn(tenant, isolate);
    expect(limit).toHaveBeenCalledOnce();
  });

  it('a clock that jumps ahead ends tokens, keys and links at their time, and no edit is lost to one with a clock behind', async () => {
    holdQueue();
    const caller = await seedCaller();
    const { id } = await seedLink(caller);
    const edit = async (url: string) => {
      const headers = { 'X-API-Key': caller.apiKey, 'Content-Type': 'application/json' };
      return (await openIsolate()(`/v1/links/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ url }) }))
        .status;
    };
    jump(HOUR_MS + HANG_MS);
    expect((await openIsolate()('/v1/links', { headers: bearerOf(caller) })).status).toBe(401);
    expect(await edit('https://example.com/ahead')).toBe(200);
    jump(-2 * HOUR_MS);
    expect(await edit('https://example.com/behind')).toBe(200);
    expect((await openIsolate()(`/${id}`)).headers.get('Location')).toBe('https://example.com/behind');
  });
});

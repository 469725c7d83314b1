import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { QueuedClicks } from '../../scripts/edge/queued-clicks.ts';
import { Stop } from '../../scripts/edge/stop.ts';
import { holdQueue, logged, packOf, refuseQueue } from '../support/clicks.ts';
import { seedLink, seedTenant } from '../support/seed.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a server that stops', () => {
  it('a server that stops stores what is queued', async () => {
    const link = await seedLink(await seedTenant());
    holdQueue();
    const queued = new QueuedClicks();
    await queued.over(env).CLICKS.send(packOf(link, 3));
    expect(queued.clicks).toBe(3);
    expect(await new Stop(queued).run(env, createExecutionContext())).toEqual({ lostClicks: 0, openRequests: 0 });
  });

  it('a server that stops has no clicks in a queue that refused them', async () => {
    const link = await seedLink(await seedTenant());
    refuseQueue();
    const queued = new QueuedClicks();
    await expect(queued.over(env).CLICKS.send(packOf(link, 3))).rejects.toThrow('429');
    expect(queued.isEmpty).toBe(true);
  });

  it('a server that stops says in its time how many clicks it could not store, though their object does not respond', async () => {
    const link = await seedLink(await seedTenant());
    holdQueue();
    logged();
    const queued = new QueuedClicks();
    await queued.over(env).CLICKS.send(packOf(link, 3));
    // No time limit of a call ends the wait.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent = { append: () => new Promise<never>(() => undefined) };
    vi.spyOn(env.STATISTICS, 'getByName').mockReturnValue(silent as never);
    const report = await new Stop(queued, 300).run(env, createExecutionContext());
    expect(report).toEqual({ lostClicks: 3, openRequests: 0 });
  });
});

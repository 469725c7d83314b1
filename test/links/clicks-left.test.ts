import { createScheduledController, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { open } from '../support/manage.ts';
import { openIsolate } from '../support/service.ts';
import { byPerson } from '../support/visits.ts';

/** The count of a click limit, from the side of the link's owner. */

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('clicks_left', () => {
  it('clicks_left is how many clicks of a limit are left, and null for others, for one link and in a list', async () => {
    const manager = await open();
    const [limited, plain] = [await manager.make({ max_clicks: 2 }), await manager.make()];
    const read = async () =>
      (await manager.ask<{ clicks_left: unknown }>('GET', `/v1/links/${limited}`)).body.clicks_left;
    const listed = async () => {
      const { body } = await manager.ask<{ links: { id: string; clicks_left: unknown }[] }>('GET', '/v1/links');
      return body.links.map(({ id, clicks_left }) => [id, clicks_left]);
    };
    expect([await read(), await listed()]).toEqual([
      2,
      expect.arrayContaining([
        [limited, 2],
        [plain, null],
      ]),
    ]);
    await openIsolate()(`/${limited}`, byPerson());
    expect([await read(), await listed()]).toEqual([1, expect.arrayContaining([[limited, 1]])]);
    await manager.ask('PATCH', `/v1/links/${limited}`, { max_clicks: 5 });
    expect(await read()).toBe(4);
    expect((await manager.ask('GET', `/v1/links/${plain}`)).body).toMatchObject({ clicks_left: null });
  });

  it('clicks_left is null while the object of the limit does not respond', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 2 });
    vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(env.LIMITS, 'getByName').mockImplementation(() => {
      throw new Error('Network connection lost.');
    });
    expect(await manager.ask('GET', `/v1/links/${id}`)).toMatchObject({ status: 200, body: { clicks_left: null } });
    expect((await manager.ask('GET', '/v1/links')).body).toMatchObject({ links: [{ clicks_left: null }] });
  });
});

it('removes the count of a limited link with its content', async () => {
  const manager = await open();
  const id = await manager.make({ max_clicks: 2 });
  await openIsolate()(`/${id}`, byPerson());
  const count = () => runInDurableObject(env.LIMITS.getByName(id), (object) => object.count());
  expect(await count()).toMatchObject({ taken: 1 });
  await manager.ask('DELETE', `/v1/links/${id}`);
  vi.setSystemTime(Date.now() + 31 * 24 * 3600 * 1000);
  await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
  expect(await count()).toBeNull();
});

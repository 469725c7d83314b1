import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { countBefore, move, openFormerClicks } from '../../support/former-clicks.ts';
import { replaceInObjects } from '../../support/objects.ts';
import { statistics, type LinkRecord } from '../../support/seed.ts';
import { ask, everyRowOfObject, foldClicks } from '../../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a link that was removed', () => {
  const cleanUp = () => worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
  const removed = (link: LinkRecord) =>
    env.DB.prepare('UPDATE links SET deleted_at = ?2 WHERE id = ?1')
      .bind(link.id, Date.now() - 31 * DAY_MS)
      .run();

  it('a link that was removed does not come back when its client is moved again', async () => {
    const { tenant, one, other, clientId } = await openFormerClicks();
    await move(clientId);
    await removed(one);
    await cleanUp();
    await foldClicks(clientId);
    await countBefore(other, { days: 1, humans: 5, bots: 0 });
    expect(await move(clientId)).toBe(true);
    await foldClicks(clientId);
    expect(await everyRowOfObject(clientId)).not.toContain(one.id);
    expect((await ask(tenant, '/v1/stats?by=link')).body).toMatchObject({
      total: 22,
      rows: [
        { key: 'other', total: 14 },
        { key: other.id, total: 8 },
      ],
    });
  });

  it('a link that was removed and whose days the version before has kept is not copied', async () => {
    const { one, clientId } = await openFormerClicks();
    await env.DB.prepare(`UPDATE links SET deleted_at = 1, url = '' WHERE id = ?1`).bind(one.id).run();
    await statistics.call(clientId, (object) => object.purge([one.id]));
    await foldClicks(clientId);
    expect(await move(clientId)).toBe(true);
    expect(await everyRowOfObject(clientId)).not.toContain(one.id);
  });

  it('a link that was removed leaves nothing behind though its days are on the way to the object meanwhile', async () => {
    const { one, clientId } = await openFormerClicks();
    await removed(one);
    replaceInObjects(
      'carry',
      (carry) =>
        async (...args) => {
          vi.restoreAllMocks();
          await cleanUp();
          await foldClicks(clientId);
          await carry(...args);
        },
      clientId,
    );
    await move(clientId);
    await foldClicks(clientId);
    expect(await everyRowOfObject(clientId)).not.toContain(one.id);
  });
});

import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { moveClient, moveFormerDays } from '../../../src/clicks/former/move.ts';
import type { ExportedPage } from '../../../src/statistics/backup/export.ts';
import { HOUR_MS } from '../../../src/time/day.ts';
import { clicksOf, deliver, logged, packOf } from '../../support/clicks.ts';
import { countBefore, move, movesOf, openFormerClicks, sources } from '../../support/former-clicks.ts';
import { replaceInObjects } from '../../support/objects.ts';
import { statistics } from '../../support/seed.ts';
import { ask, rowsOfObject } from '../../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('days that the version before has counted', () => {
  it('days that the version before has counted count beside the new ones before they are moved, and the same afterwards', async () => {
    const { tenant, one, answers, clientId } = await openFormerClicks();
    const before = await answers();
    expect(await clicksOf(tenant, one)).toMatchObject({ total: 14, humans: 11, bots: 3 });
    expect(await move(clientId)).toBe(true);
    expect(await answers()).toEqual(before);
    expect(await movesOf(clientId)).toMatchObject({ is_moved: 1 });
    // Now they are counted by the object alone.
    await env.DB.prepare('DELETE FROM click_days WHERE client_id = ?1').bind(clientId).run();
    expect(await answers()).toEqual(before);
  });

  it.each([false, true])(
    'days that the version before has counted count once after their client is restored from a backup (moved before: %s)',
    async (isMoved) => {
      const { answers, clientId } = await openFormerClicks();
      if (isMoved) expect(await move(clientId)).toBe(true);
      const before = await answers();
      const object = env.STATISTICS.getByName(clientId);
      const page = (await object.exportPage(null)) as unknown as ExportedPage;
      expect(page.next).toBeNull();
      // A restore forgets what was moved.
      await env.DB.prepare('DELETE FROM statistics_moves WHERE client_id = ?1').bind(clientId).run();
      expect(await object.beginLoad(page.schema)).toBe(true);
      expect(await object.load(page.sections)).toBeNull();
      await object.endLoad();
      expect(await answers()).toEqual(before);
      expect(await move(clientId)).toBe(true);
      expect(await answers()).toEqual(before);
    },
  );

  it('days that the version before has counted are the same after each page, and after an object that fails between two', async () => {
    const { answers, clientId } = await openFormerClicks(400);
    const before = await answers();
    let calls = 0;
    const objects = replaceInObjects('carry', (carry) => (...args) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error('Network connection lost.')) : carry(...args);
    });
    const problems = logged();
    expect(await moveClient(sources, clientId, Date.now())).toBe(false);
    expect(await move(clientId)).toBe(true);
    objects.mockRestore();
    expect(calls).toBeGreaterThan(3);
    expect(problems()).toMatchObject([{ event: 'statistics_not_moved', client_id: clientId }]);
    expect(await answers()).toEqual(before);
  });

  it('days that the version before has counted are moved again if the version before counts after a rollback', async () => {
    const { tenant, one, clientId } = await openFormerClicks();
    await move(clientId);
    await countBefore(one, { days: 1, campaign: 'Spring', humans: 5, bots: 0 });
    expect(await movesOf(clientId)).toMatchObject({ is_moved: 0, copied_to: null });
    expect((await clicksOf(tenant, one)).total).toBe(19);
    expect(await move(clientId)).toBe(true);
    expect((await clicksOf(tenant, one)).total).toBe(19);
    expect((await ask(tenant, '/v1/stats')).body).toMatchObject({ total: 22 });
  });

  it('days that the version before has counted are begun anew where the version before counts during a page', async () => {
    const { tenant, one, clientId } = await openFormerClicks();
    let counted = false;
    replaceInObjects('carry', (carry) => async (...args) => {
      await carry(...args);
      if (!counted) await countBefore(one, { days: 1, humans: 5, bots: 0 });
      counted = true;
    });
    expect(await move(clientId)).toBe(true);
    expect((await clicksOf(tenant, one)).total).toBe(19);
  });

  it('days that the version before has counted are not replaced by an older copy that comes late', async () => {
    const { tenant, one, clientId } = await openFormerClicks();
    const carried: unknown[][] = [];
    const objects = replaceInObjects('carry', (carry) => (...args) => {
      carried.push(args);
      return carry(...args);
    });
    await move(clientId);
    objects.mockRestore();
    await countBefore(one, { days: 1, campaign: 'Spring', humans: 5, bots: 0 });
    await move(clientId);
    await statistics.call(clientId, (object) => object.carry(carried[0]![0] as never));
    expect((await clicksOf(tenant, one)).total).toBe(19);
  });

  it('days that the version before has counted are moved for all clients by the daily work, each in its own object', async () => {
    const seeded = [await openFormerClicks(), await openFormerClicks()];
    const before = await Promise.all(seeded.map(({ answers }) => answers()));
    await moveFormerDays(sources, Date.now() + 60_000);
    expect(await Promise.all(seeded.map(({ answers }) => answers()))).toEqual(before);
    for (const { clientId, one, other } of seeded) {
      expect(await movesOf(clientId)).toMatchObject({ is_moved: 1 });
      const links = await rowsOfObject(clientId, 'SELECT name FROM subjects WHERE kind = 1 ORDER BY name');
      expect(links.map(({ name }) => name)).toEqual([one.id, other.id].toSorted());
    }
  });

  it('days that the version before has counted are moved by the consumer, a page a batch, while clicks of their client come', async () => {
    const { one, clientId } = await openFormerClicks(400);
    vi.setSystemTime(Date.now() + HOUR_MS);
    for (let i = 0; i < 2; i++) await deliver([packOf(one, 1)]);
    expect(await movesOf(clientId)).toMatchObject({ is_moved: 0, copied_to: expect.any(String) });
    await deliver([packOf(one, 1)]);
    expect(await movesOf(clientId)).toMatchObject({ is_moved: 1 });
  });

  it('days from before version 1.1 do not have the links, and the response says so', async () => {
    const { tenant, one, other, clientId } = await openFormerClicks();
    await env.DB.prepare(`UPDATE click_days SET links = '{}' WHERE client_id = ?1 AND day < '2026-05-20'`)
      .bind(clientId)
      .run();
    for (const isMoved of [false, true]) {
      if (isMoved) await move(clientId);
      const { body } = await ask(tenant, '/v1/stats?by=link');
      expect([isMoved, body]).toMatchObject([
        isMoved,
        {
          filtered_from: '2026-05-20',
          total: 9,
          rows: [
            { key: one.id, total: 6 },
            { key: other.id, total: 3 },
          ],
        },
      ]);
    }
  });

  it('days that the version before has counted have no filters and no campaigns, and the response says so', async () => {
    const { tenant, clientId } = await openFormerClicks();
    for (const isMoved of [false, true]) {
      if (isMoved) await move(clientId);
      for (const question of ['country=AT', 'by=campaign', 'by=destination', 'by=link&country=AT']) {
        const { body } = await ask(tenant, `/v1/stats?from=2026-05-01&to=2026-05-20&${question}`);
        expect([question, body]).toMatchObject([question, { filtered_from: '2026-05-21', total: 0, rows: [] }]);
      }
    }
  });
});

describe('a client that cannot be moved', () => {
  it('a client that cannot be moved holds up no other one, though its object fails after the last page', async () => {
    const seeded = [await openFormerClicks(), await openFormerClicks()].toSorted((a, b) =>
      a.clientId < b.clientId ? -1 : 1,
    );
    const [first, second] = seeded.map(({ clientId }) => clientId) as [string, string];
    replaceInObjects('carried', () => () => Promise.reject(new Error('Network connection lost.')), first);
    const problems = logged();
    await moveFormerDays(sources, Date.now() + 60_000);
    expect(problems()).toContainEqual(
      expect.objectContaining({ event: 'statistics_not_moved', client_id: first, detail: expect.any(String) }),
    );
    expect([await movesOf(first), await movesOf(second)]).toMatchObject([{ is_moved: 0 }, { is_moved: 1 }]);
  });

  it('a client that cannot be moved is moved again after the database was set back to an earlier time', async () => {
    const { tenant, one, clientId } = await openFormerClicks();
    const rows = await env.DB.prepare('SELECT * FROM click_days WHERE client_id = ?1').bind(clientId).all();
    await countBefore(one, { days: 3, campaign: 'Spring', humans: 5, bots: 0 });
    await move(clientId);
    await env.DB.batch([
      env.DB.prepare('DELETE FROM statistics_moves WHERE client_id = ?1').bind(clientId),
      env.DB.prepare('DELETE FROM click_days WHERE client_id = ?1').bind(clientId),
      ...rows.results.map((row) =>
        env.DB.prepare(
          `INSERT INTO click_days (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
            .map((_, i) => `?${i + 1}`)
            .join(', ')})`,
        ).bind(...Object.values(row)),
      ),
    ]);
    logged();
    expect((await clicksOf(tenant, one)).total).toBe(14);
    expect(await move(clientId)).toBe(true);
    expect((await clicksOf(tenant, one)).total).toBe(14);
    expect((await ask(tenant, '/v1/stats')).body).toMatchObject({ total: 17 });
  });
});

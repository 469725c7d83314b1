import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  selectFormerClicks,
  selectFormerTotals,
  type FormerClicksRow,
} from '../../../src/clicks/former/link-clicks.ts';
import { moveClient } from '../../../src/clicks/former/move.ts';
import { dayOf } from '../../../src/time/day.ts';
import { clicksOf } from '../../support/clicks.ts';
import { countBefore } from '../../support/former-clicks.ts';
import { db, seedLink, seedTenant, statistics } from '../../support/seed.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

async function seed() {
  const tenant = await seedTenant();
  return { tenant, link: await seedLink(tenant) };
}

describe('the clicks that the version before has counted', () => {
  it('the clicks that the version before has counted are not read for a list once they are moved', async () => {
    const { link } = await seed();
    await countBefore(link, { days: 100, humans: 1, bots: 0 });
    const { sql, params } = selectFormerTotals(link.client_id, [link.id]);
    const rowsRead = async () => {
      const { meta } = await env.DB.prepare(sql)
        .bind(...params)
        .run();
      return meta.rows_read;
    };
    expect(await rowsRead()).toBeGreaterThan(100);
    await moveClient({ db, statistics }, link.client_id, Date.now() + 60_000);
    expect(await rowsRead()).toBeLessThan(10);
  });
});

describe('the visitors that the version before has counted today', () => {
  it('the visitors that the version before has counted today fit a value of the database, however many hours they came in', async () => {
    const { tenant, link } = await seed();
    for (let hour = 0; hour < 12; hour++) {
      // Half of them have come an hour before, too.
      const marks = Array.from({ length: 40_000 }, (_, i) => {
        const bytes = Buffer.alloc(6);
        bytes.writeUIntBE(hour * 20_000 + i, 0, 6);
        return bytes.toString('base64url');
      });
      await env.DB.prepare('INSERT INTO visitor_marks (day, link_id, hour, marks) VALUES (?1, ?2, ?3, ?4)')
        .bind(dayOf(Date.now()), link.id, hour, JSON.stringify(marks))
        .run();
    }
    const statement = selectFormerClicks({ before: '', client: '?1', link: '?2', today: '?3' }, [
      link.client_id,
      link.id,
      dayOf(Date.now()),
    ]);
    const [[row]] = await db.batch<[FormerClicksRow]>([statement]);
    expect(row!.marks.length).toBeLessThan(2_000_000);
    expect((await clicksOf(tenant, link)).visitors_today).toBeGreaterThanOrEqual(200_000);
  });
});

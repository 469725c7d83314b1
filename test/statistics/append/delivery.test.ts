import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { FOLD_MS } from '../../../src/statistics/append/backlog.ts';
import { deliveryOf, openStatistics, TODAY, type TestClick } from '../support/statistics.ts';

describe('a delivery', () => {
  it('a delivery that cannot be stored leaves nothing behind, and is counted when it comes again', async () => {
    const { stub, ask } = openStatistics();
    const delivery = deliveryOf({ campaign: 'spring' });
    const failed = await runInDurableObject(stub, async (object, { storage }) => {
      storage.sql.exec('ALTER TABLE deliveries RENAME TO elsewhere');
      const outcome = await object.append(delivery).then(
        () => 'stored',
        (error: unknown) => String(error),
      );
      storage.sql.exec('ALTER TABLE elsewhere RENAME TO deliveries');
      const tables = ['words', 'new_words', 'deliveries', 'seen_packs'];
      return [outcome, ...tables.map((table) => storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one()['n'])];
    });
    expect(failed).toEqual([expect.stringContaining('no such table'), 0, 0, 0, 0]);
    await stub.append(delivery);
    expect((await ask()).map(({ humans }) => humans)).toEqual([1]);
  });

  it('a delivery may have more names than fit a parameter of a statement', async () => {
    const { stub, ask } = openStatistics();
    const names = Array.from({ length: 5000 }, (_, i) => `${'n'.repeat(450)}${i}`);
    const longest = await runInDurableObject(stub, async (object, { storage: { sql } }) => {
      const exec = vi.spyOn(sql, 'exec');
      await object.append(deliveryOf(...names.map((name) => ({ campaign: name, link: name }))));
      const params = exec.mock.calls.flatMap(([, ...all]) => all);
      exec.mockRestore();
      return Math.max(...params.map((param) => (typeof param === 'string' ? param.length : 0)));
    });
    // The platform refuses more than 2 MB, and a character may take six bytes.
    expect(longest).toBeLessThan(500_000);
    const [day] = await ask({ by: ['campaign'] });
    expect(day).toMatchObject({ humans: 5000 });
    expect(await ask({ subject: { kind: 'link', name: names[4321]! }, by: ['campaign'] })).toMatchObject([
      { by: { campaign: [{ value: names[4321], humans: 1 }] } },
    ]);
  });

  it.each<[which: string, click: TestClick]>([
    ['an hour before 1970', { at: -1 }],
    ['an hour that is too late for a date', { at: 1e18 }],
    ['an infinite hour', { at: Number.POSITIVE_INFINITY }],
    ['an hour that is no number', { at: Number.NaN }],
    ['fewer clicks than none', { clicks: -5 }],
    ['half a click', { clicks: 1.5 }],
    ['more clicks than can be counted', { clicks: 2 ** 53 }],
    ['a kind that is not known', { kind: 'robot' as 'bot' }],
  ])('a delivery that has %s is refused, so that what is stored can be read', async (_which, click) => {
    const { stub, ask, fold, rows } = openStatistics();
    await stub.append(deliveryOf({}));
    const refused = await runInDurableObject(stub, (object) =>
      object.append(deliveryOf({}, click)).then(
        () => 'stored',
        (error: unknown) => error,
      ),
    );
    expect(refused).toBeInstanceOf(RangeError);
    expect(await rows('SELECT id FROM deliveries')).toHaveLength(1);
    await fold();
    expect((await ask()).map(({ humans }) => humans)).toEqual([1]);
  });

  it('a delivery may have clicks of 1970 and of the last year that there is, and a last click before its hour', async () => {
    const { stub, ask, fold } = openStatistics();
    await stub.append(deliveryOf({ at: 0 }, { at: 8.64e15 }, { clicks: 2 ** 50, link: 'link-2' }));
    const late = deliveryOf({ link: 'link-3' });
    const [[pack, link, profile, clicks] = [0, 0, 0, 0]] = late.groups;
    await stub.append({ ...late, groups: [[pack, link, profile, clicks, -1, '']] });
    const question = { from: 0, to: 1e9, by: ['link', 'hour'] } as const;
    const before = [await ask(question), await stub.totals(['link-1', 'link-2', 'link-3'])];
    await fold();
    expect([await ask(question), await stub.totals(['link-1', 'link-2', 'link-3'])]).toEqual(before);
    expect((await ask(question)).map(({ day, humans }) => [day, humans])).toEqual([
      [0, 1],
      [TODAY, 2 ** 50 + 1],
      [1e8, 1],
    ]);
  });

  it('a delivery is folded although the platform has given up the alarm, once the object wakes', async () => {
    const { stub, ask, restart } = openStatistics();
    await stub.append(deliveryOf({}));
    await runInDurableObject(stub, (_object, { storage }) => storage.deleteAlarm());
    await restart();
    await ask();
    const alarm = await runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());
    expect(alarm).not.toBeNull();
    expect(alarm! - Date.now()).toBeLessThanOrEqual(FOLD_MS);
  });

  it('a delivery sets an alarm within six hours, and one at once when there is much', async () => {
    const { stub } = openStatistics();
    const alarm = () => runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());
    await stub.append(deliveryOf({}));
    const first = await alarm();
    expect(first! - Date.now()).toBeGreaterThan(FOLD_MS - 10 * 60_000);
    await stub.append(deliveryOf({}));
    expect(await alarm()).toBe(first);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeBackup, checkBackup } from '../../scripts/backup/file.ts';
import { dumpStatistics, sendObjects } from '../../scripts/backup/statistics.ts';
import type { Service } from '../../scripts/operator-service.ts';
import { makeFolder } from './support/processes.ts';

/** The click statistics in a backup, without a service. */

/** The most bytes of a slice that the service accepts. */
const MAX_SLICE_BYTES = 4_000_000;

const STEPS = { table: 'ClientStatistics', columns: ['client_id', 'step', 'schema'] };
const DAYS = { table: 'ClientStatistics.days', columns: ['client_id', 'id', 'clicks'] };

const pageOf = (rows: readonly string[][], next: number | null) => ({
  state: 'read',
  schema: 3,
  sections: [{ table: 'days', columns: ['id', 'clicks'], rows }],
  next: next === null ? null : { id: 'x', table: 'days', after: [next] },
});

/** A service that gives these pages, one after the other. */
function openPages(pages: readonly object[]) {
  const asked: object[] = [];
  const service = {
    askWithRetry: async (_: string, body: object, answer: { parse: (value: object) => unknown }) => {
      asked.push(body);
      return answer.parse(pages[asked.length - 1] ?? { state: 'over' });
    },
  } as unknown as Service;
  return { service, asked };
}

describe('a backup of click statistics', () => {
  it('a backup of click statistics begins a client again if it was over in between', async () => {
    const pages = [
      pageOf([['1', 'AA==']], 1),
      { state: 'over' },
      pageOf([['1', 'BB==']], 1),
      pageOf([['2', 'CC==']], null),
    ];
    const { service, asked } = openPages([...pages, pageOf([], null)]);
    const lines: object[] = [];
    const counts = await dumpStatistics(service, ['acme', 'globex'], (line) => void lines.push(line));
    expect(lines).toEqual([
      STEPS,
      ['acme', 'begin', '3'],
      DAYS,
      ['acme', '1', 'AA=='],
      STEPS,
      ['acme', 'begin', '3'],
      DAYS,
      ['acme', '1', 'BB=='],
      ['acme', '2', 'CC=='],
      STEPS,
      ['acme', 'end', null],
      ['globex', 'begin', '3'],
      DAYS,
      STEPS,
      ['globex', 'end', null],
    ]);
    expect(counts).toEqual({ ClientStatistics: 5, 'ClientStatistics.days': 3 });
    expect(asked).toEqual([
      { client: 'acme', place: null },
      { client: 'acme', place: { id: 'x', table: 'days', after: [1] } },
      { client: 'acme', place: null },
      { client: 'acme', place: { id: 'x', table: 'days', after: [1] } },
      { client: 'globex', place: null },
    ]);
  });

  it('a backup of click statistics ends with a sentence if a client is over again and again', async () => {
    const { service, asked } = openPages([]);
    await expect(dumpStatistics(service, ['acme'], () => {})).rejects.toThrow(
      'The click statistics of acme could not be read without an interruption: create the backup again.',
    );
    expect(asked).toHaveLength(5);
  });

  it('a backup of click statistics may have clients whose tables are of two versions, and says the newer one', async () => {
    const file = join(makeFolder(), 'terse.backup');
    await writeBackup(file, { force: false }, async (line) => {
      line({ terse_backup: 1, version: '1.0.0', schema: '', made_at: new Date().toISOString() });
      const parts = [STEPS, ['a', 'begin', '2'], DAYS, ['a', '1', ''], STEPS, ['a', 'end', null], ['b', 'begin', '1']];
      for (const part of [...parts, { ...DAYS, columns: ['client_id', 'id'] }, ['b', '1']]) line(part);
      return { ClientStatistics: 3, 'ClientStatistics.days': 2 };
    });
    expect(await checkBackup(file)).toMatchObject({ statisticsSchema: 2 });
  });
});

interface Slice {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly unknown[];
}

/** Sends the parts of a backup from a row on, and returns the slices. */
async function slicesOf(parts: readonly object[], firstRow: number): Promise<readonly Slice[]> {
  const file = join(makeFolder(), 'terse.backup');
  writeFileSync(file, [{ terse_backup: 1 }, ...parts].map((part) => `${JSON.stringify(part)}\n`).join(''));
  const slices: Slice[] = [];
  const service = {
    askWithRetry: async (_: string, body: string) => {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_SLICE_BYTES);
      const [head, ...lines] = body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      slices.push({ ...head, lines });
      return { next_row: head.to };
    },
  } as unknown as Service;
  await sendObjects(service, file, 'sha', firstRow, () => {});
  return slices;
}

const rowsOf = (slices: readonly Slice[]) => slices.flatMap(({ lines }) => lines.filter(Array.isArray));
const isContinuous = (slices: readonly Slice[], first: number, end: number) => {
  expect(slices.map(({ from }) => from)).toEqual([first, ...slices.slice(0, -1).map(({ to }) => to)]);
  expect(slices.at(-1)?.to).toBe(end);
};

const LINKS = [{ table: 'links', columns: ['id'] }, ['l1'], ['l2']];

describe('a restore of click statistics', () => {
  it('a restore of click statistics sends what comes after the rows of the database, in slices that name their sections', async () => {
    const rows = Array.from({ length: 4 }, (_, n) => ['acme', String(n), 'A'.repeat(n === 1 ? 2_700_000 : 300_000)]);
    const all = [...LINKS, STEPS, ['acme', 'begin', '1'], DAYS, ...rows, STEPS, ['acme', 'end', null]];
    const slices = await slicesOf(all, 2);
    expect(slices.length).toBeGreaterThan(2);
    expect(rowsOf(slices)).toEqual([['acme', 'begin', '1'], ...rows, ['acme', 'end', null]]);
    expect(slices.map(({ lines }) => lines[0])).toEqual([STEPS, ...slices.slice(1).map(() => DAYS)]);
    isContinuous(slices, 2, 8);
  });

  it('a restore of click statistics continues after the last restored row', async () => {
    const all = [...LINKS, STEPS, ['a', 'begin', '1'], DAYS, ['a', '1', ''], ['a', '2', ''], STEPS, ['a', 'end', null]];
    expect(await slicesOf(all, 4)).toEqual([
      { sha256: 'sha', from: 4, to: 6, lines: [DAYS, ['a', '2', ''], STEPS, ['a', 'end', null]] },
    ]);
    expect(await slicesOf(all, 6)).toEqual([]);
  });

  it('a restore of click statistics sends the rows of limited links after them', async () => {
    const limits = { table: 'LinkLimit', columns: ['link_id', 'since', 'taken'] };
    const rows = Array.from({ length: 301 }, (_, n) => [`l${n}`, '1000', '2']);
    const slices = await slicesOf([...LINKS, STEPS, ['a', 'begin', '1'], ['a', 'end', null], limits, ...rows], 2);
    expect(rowsOf(slices)).toEqual([['a', 'begin', '1'], ['a', 'end', null], ...rows]);
    expect(slices.map(({ lines }) => lines[0])).toEqual([STEPS, limits]);
    isContinuous(slices, 2, 305);
  });

  it('a restore of click statistics makes few calls to objects a slice', async () => {
    const steps = Array.from({ length: 1000 }, (_, n) => [
      [`c${n}`, 'begin', '1'],
      [`c${n}`, 'end', null],
    ]).flat();
    const slices = await slicesOf([STEPS, ...steps], 0);
    expect(Math.max(...slices.map(({ lines }) => lines.length))).toBeLessThan(400);
    expect(rowsOf(slices)).toEqual(steps);
    isContinuous(slices, 0, 2000);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sendRows } from '../../scripts/backup/load.ts';
import type { Service } from '../../scripts/operator-service.ts';
import { makeFolder } from './support/processes.ts';

/** The slices in which the tool sends the rows of a backup to the service. */

/** The most bytes of a slice that the service accepts. */
const MAX_SLICE_BYTES = 1_900_000;

type Row = readonly [id: string, text: string];

interface Slice {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly Row[];
}

/** Sends the rows of a backup from `firstRow` on, and returns the slices, each of which the service accepts. */
async function slicesOf(rows: readonly Row[], firstRow = 0): Promise<readonly Slice[]> {
  const file = join(makeFolder(), 'terse.backup');
  const parts = [{ terse_backup: 1 }, { table: 'links', columns: ['id', 'comments'] }, ...rows];
  writeFileSync(file, parts.map((part) => `${JSON.stringify(part)}\n`).join(''));
  const slices: Slice[] = [];
  const service = {
    origin: null,
    askWithRetry: async (_: string, body: string) => {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_SLICE_BYTES);
      const [head = '', ...lines] = body.trimEnd().split('\n');
      const { from, to } = JSON.parse(head) as Slice;
      slices.push({ from, to, rows: lines.map((line) => JSON.parse(line) as Row) });
      return { next_row: to };
    },
  } as unknown as Service;
  const columns = new Map([['links', ['id', 'comments'].map((name, at) => ({ name, at }))]]);
  await sendRows(service, file, 'sha', { columns, left: [] }, firstRow, () => {});
  return slices;
}

const rowsOf = (slices: readonly Slice[]) => slices.flatMap(({ rows }) => rows);

it.each([
  ['comments of 2,000 letters that take three bytes each', 2000, '語'.repeat(2000)],
  ['texts in which each character is escaped', 500, '"\n'.repeat(2000)],
])('two slices or more hold %s, and each fits', async (_, count, text) => {
  const rows = Array.from({ length: count }, (_, n): Row => [`l${n}`, text]);
  const slices = await slicesOf(rows);
  expect(slices.length).toBeGreaterThan(1);
  expect(rowsOf(slices)).toEqual(rows);
  expect(slices.map(({ from }) => from)).toEqual([0, ...slices.map(({ to }) => to)].slice(0, -1));
});

it('a row of a megabyte and a half is sent, though small rows stand before and after it', async () => {
  const small = Array.from({ length: 600 }, (_, n): Row => [`l${n}`, 'x'.repeat(1000)]);
  const rows: Row[] = [...small, ['large', 'y'.repeat(1_500_000)], ...small];
  expect(rowsOf(await slicesOf(rows))).toEqual(rows);
});

it('a restore continues after the last restored row, even if another version had cut its slices elsewhere', async () => {
  const rows = Array.from({ length: 1500 }, (_, n): Row => [`l${n}`, 'x'.repeat(1000)]);
  const slices = await slicesOf(rows, 777);
  expect(slices[0]?.from).toBe(777);
  expect(rowsOf(slices)).toEqual(rows.slice(777));
});

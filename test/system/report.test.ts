import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPageOptions } from '../../bench/published/options.ts';
import { DRILLS } from '../../bench/published/drills.ts';
import { makeFolder, runProcess, strangersEnv } from '../scripts/support/processes.ts';
import { NODE, ROOT } from '../scripts/support/project.ts';

/** `npm run bench:report` with a second of load and outages of two seconds; the real one takes half an hour. */

const DEADLINE_MS = 590_000;
const RATES = [20, 40, 60];
const SERVICES = ['Terse', 'floor: an empty Worker', 'floor: one `KV.get` in Hono', 'floor: one `SELECT` in Hono'];

const page = join(makeFolder(), 'figures.md');
let code: number | null = null;
let said = '';

beforeAll(async () => {
  const options = [
    '--rates',
    RATES.join(','),
    '--seconds',
    '1',
    '--outage',
    '2',
    '--outage-rate',
    '40',
    '--memory',
    '1',
  ];
  const args = ['bench/publish.ts', '--page', page, ...options];
  const env = strangersEnv();
  ({ code, stderr: said } = await runProcess(NODE, args, {
    cwd: ROOT,
    env,
    deadlineMs: DEADLINE_MS,
  }));
});

/** The rows of the one table that has a column, by the names of its columns. */
function rowsWith(column: string): Record<string, string>[] {
  const tables = readFileSync(page, 'utf8')
    .trimEnd()
    .split('\n\n')
    .filter((block) => block.startsWith('|'))
    .map((block) =>
      block.split('\n').map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    );
  const [found, ...others] = tables.filter(([head]) => head?.includes(column));
  expect(others).toEqual([]);
  const [head = [], , ...rows] = found ?? [];
  return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [head[index], cell])));
}

describe('npm run bench:report', () => {
  it('npm run bench:report writes a page with the machine, the commit and the date', () => {
    expect([code, said]).toEqual([0, expect.stringMatching(/^building[^]*\nwritten: /)]);
    const facts = Object.fromEntries(rowsWith('value').map(({ what, value }) => [what, value]));
    expect(facts).toMatchObject({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      commit: expect.stringMatching(/^`[0-9a-f]{7,}\+?`$|^`unknown`$/),
      machine: expect.stringMatching(/\d+ cores, \d+ GiB; load \d/),
    });
  });

  it('npm run bench:report has a row for each service and rate, and no click of them is lost', () => {
    const rows = rowsWith('visits to');
    expect(rows.map((row) => [row['visits to'], Number(row['a second'])])).toEqual(
      RATES.flatMap((rate) => SERVICES.map((name) => [name, rate])),
    );
    const measured = ['redirected a second', 'p50', 'p95', 'p99', 'p99.9', 'CPU'];
    expect(rows.flatMap((row) => measured.filter((name) => !(Number(row[name]) > 0)))).toEqual([]);
    expect(rows.map(({ wrong }) => wrong)).toEqual(rows.map(() => '0'));
    // A second to warm up, and one that is measured, of each rate.
    const clicks = rows.flatMap((row) => row['clicks lost'] || []);
    expect(clicks).toEqual(['0 of 40', '0 of 120', '0 of 240']);
  });

  it('npm run bench:report has the seconds until an edit is seen where it was written and elsewhere', () => {
    const rows = rowsWith('seconds').map((row) => [row['the isolate that is asked'], Number(row['seconds'])]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ['it wrote the change', 0],
        ['it remembers the link', expect.any(Number)],
      ]),
    );
  });

  it('npm run bench:report states what is expected of each outage and what was seen, and no click is lost', () => {
    const names = DRILLS.map(({ what }) => what);
    const [expected, seen, byKind] = [rowsWith('since'), rowsWith('recovery'), rowsWith('never followed')];
    for (const rows of [expected, seen, byKind]) expect(rows.map(({ outage }) => outage)).toEqual(names);
    expect(seen.map(({ visits }) => visits)).toEqual(names.map(() => '80'));
    expect(seen.map((row) => row['clicks lost'])).toEqual(names.map(() => expect.stringMatching(/^0 of \d+$/)));
  });

  it.each([
    '--rates fast',
    '--rates 1,2,0',
    '--outage 0',
    '--seconds',
    '--beside Sink=https://sink.example/a',
    '--beside http://localhost/a',
    '--unknown',
  ])('npm run bench:report refuses %s with a sentence', (args) => {
    const sentence = expect.stringMatching(/^[^\n]+\.$/);
    expect(() => readPageOptions(args.split(' '))).toThrow(
      expect.objectContaining({ name: 'UsageError', message: sentence }),
    );
  });
});

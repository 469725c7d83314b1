import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase, withDatabase } from '../../scripts/database.ts';
import { all, backup, restore, rewrite, sentenceOf } from '../scripts/support/backups.ts';
import { rowsIn, statisticsIn } from '../scripts/support/data.ts';
import { freePort, makeFolder } from '../scripts/support/processes.ts';
import { copyProject, linesOf, runNpm } from '../scripts/support/project.ts';
import { migrateToMover, moveClicks } from './support/moved-clicks.ts';
import { clickMover, copyDatabase, isMoved, releases } from './support/releases.ts';

/** Clicks that version 1.2.0 and older ones have counted in the database, where version 1.3.0 has not moved them. */

const unmoved = releases.filter((release) => !isMoved(release));
const newest = unmoved.at(-1)!;
const MOVER = 'version 1.3.0 (the commit "chore: release 1.3.0"), which moves them, as docs/self-hosting.md says';
const REFUSAL = `The clicks that version 1.2.0 or an older one has counted are not moved yet (of acme, globex), and nothing was changed: run ${MOVER}, until this command no longer says so.`;
const BACKUP_REFUSAL = `The backup has clicks that version 1.2.0 or an older one has counted, and that are not moved yet (of acme, globex), and nothing was changed: restore it with ${MOVER}, and create another backup once they are moved.`;

it.each(unmoved)(
  'the database of $version is not upgraded without version 1.3.0, and stays as it was',
  async (release) => {
    const persistTo = makeFolder();
    copyDatabase(release, persistTo);
    const before = rowsIn(persistTo);
    expect(before['click_days']?.length).toBeGreaterThan(10);
    await expect(withDatabase(persistTo, migrateDatabase)).rejects.toThrow(REFUSAL);
    expect(rowsIn(persistTo)).toEqual(before);
    // Version 1.3.0 was there, and has moved nothing yet.
    await withDatabase(persistTo, migrateToMover);
    const upgraded = rowsIn(persistTo);
    await expect(withDatabase(persistTo, migrateDatabase)).rejects.toThrow(REFUSAL);
    expect(rowsIn(persistTo)).toEqual(upgraded);
  },
);

it('"npm start" on clicks that are not moved says so, and changes no row', async () => {
  const persistTo = makeFolder();
  copyDatabase(newest, persistTo);
  const before = rowsIn(persistTo);
  const port = String(await freePort());
  const { code, stderr } = await runNpm(copyProject(), ['start', '--', '--port', port, '--persist-to', persistTo]);
  expect([code, linesOf(stderr)]).toEqual([2, expect.arrayContaining([REFUSAL])]);
  expect(rowsIn(persistTo)).toEqual(before);
});

describe('a backup with clicks that version 1.2.0 has counted', () => {
  const folder = makeFolder();
  const fileOf = async (persistTo: string) => {
    const file = join(makeFolder(), 'terse.backup');
    expect(await backup(persistTo, file)).toMatchObject({ code: 0, stderr: '' });
    return file;
  };
  let [older, moved] = ['', ''];
  let statistics: ReturnType<typeof statisticsIn>;

  beforeAll(async () => {
    copyDatabase(newest, folder);
    older = await fileOf(folder);
    await moveClicks(newest, folder);
    statistics = statisticsIn(folder);
    moved = await fileOf(folder);
  });

  it('a backup of clicks that are not moved is refused by a restore, which replaces nothing', async () => {
    const persistTo = makeFolder();
    copyDatabase(clickMover, persistTo);
    await withDatabase(persistTo, migrateDatabase);
    const before = [rowsIn(persistTo), statisticsIn(persistTo)];
    for (const args of [[], ['--force']]) {
      const outcome = await restore(persistTo, older, ...args);
      expect([outcome.code, sentenceOf(outcome)]).toEqual([2, BACKUP_REFUSAL]);
      expect([rowsIn(persistTo), statisticsIn(persistTo)]).toEqual(before);
    }
  });

  it('a backup of clicks that are moved is restored with their statistics, and without the tables that were dropped', async () => {
    const elsewhere = makeFolder();
    const { code, stderr } = await restore(elsewhere, moved);
    expect([code, stderr]).toEqual([0, 'Left out, as it is no longer used: click_days, seen_packs, visitor_marks.\n']);
    expect(statisticsIn(elsewhere)).toEqual(statistics);
    const { click_days: clickDays, seen_packs: _packs, visitor_marks: _marks, ...kept } = all(folder);
    expect(clickDays?.length).toBeGreaterThan(10);
    expect(all(elsewhere)).toMatchObject({ links: kept['links'], users: kept['users'], clients: kept['clients'] });
    expect(all(elsewhere)).not.toHaveProperty('click_days');
  });

  it.each(['client', 'link', 'campaign'])(
    'a backup whose statistics lack a click of a %s is refused by a restore',
    async (kind) => {
      const number = String(['client', 'link', 'campaign'].indexOf(kind));
      const incomplete = await rewrite(moved, (lines) => {
        const head = lines.findIndex((line) => line.startsWith('{"table":"ClientStatistics.subjects"'));
        const { columns }: { columns: string[] } = JSON.parse(lines.at(head) ?? '');
        const [ofKind, humans] = [columns.indexOf('kind'), columns.indexOf('carried_humans')];
        const isChosen = (values: readonly string[]) => values[ofKind] === number && Number(values[humans]) > 0;
        const at = lines.findIndex((line, index) => index > head && isChosen(JSON.parse(line)));
        const values: string[] = JSON.parse(lines.at(at) ?? '');
        return lines.with(at, JSON.stringify(values.with(humans, String(Number(values[humans]) - 1))));
      });
      const outcome = await restore(makeFolder(), incomplete);
      expect([outcome.code, sentenceOf(outcome)]).toEqual([
        2,
        expect.stringMatching(/not moved yet \(of (acme|globex)\)/),
      ]);
    },
  );
});

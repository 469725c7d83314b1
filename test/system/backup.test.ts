import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBackupOptions } from '../../scripts/backup/options.ts';
import { UsageError } from '../../scripts/cli-error.ts';
import { integrityOf, statisticsIn } from '../scripts/support/data.ts';
import { makeFolder, runProcess } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedOnce, ROOT, runTool } from '../scripts/support/project.ts';
import { all, backup, LARGE, ODD, seedFolder, seedStatistics, sentenceOf } from '../scripts/support/backups.ts';

describe('a backup', () => {
  it('a backup holds every row of every table as it is, and can be restored elsewhere', async () => {
    const [from, to] = [await seedFolder(), makeFolder()];
    await seedStatistics(from);
    const [before, statistics] = [all(from), statisticsIn(from)];
    expect(Object.values(statistics).map(({ subjects, days }) => [subjects?.length, days?.length])).toEqual([[3, 1]]);
    // No backup has these: how far a restore has come, what triggers keep, and what waits for
    // a store.
    const left = new Set(['restores', 'link_hosts', 'kept_packs', 'unwritten_entries', 'write_checks']);
    expect(Object.entries(before).filter(([table, rows]) => rows.length === 0 && !left.has(table))).toEqual([]);
    expect(before['users']).toEqual([expect.objectContaining({ name: `Ann${ODD}`, created_at: BigInt(LARGE) })]);
    const file = join(makeFolder(), 'terse.backup');

    const made = await runTool(['scripts/backup.ts', file, '--persist-to', from]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect([printedOnce(made.stdout, 'links'), printedOnce(made.stdout, 'rows')]).toEqual(['300', '947']);
    expect(printedOnce(made.stdout, 'rows of statistics')).toBe('10');
    expect([all(from), statisticsIn(from)]).toEqual([before, statistics]);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const restored = await runTool(['scripts/restore.ts', file, '--persist-to', to]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(printedOnce(restored.stdout, 'rows')).toBe('947');
    expect([all(to), statisticsIn(to)]).toEqual([before, statistics]);
    expect(integrityOf(to)).toEqual(['ok']);
  });

  it('a backup takes no other file’s place without --force, and leaves nothing half written behind', async () => {
    const from = await seedFolder();
    const folder = makeFolder();
    const file = join(folder, 'terse.backup');
    writeFileSync(file, 'mine');
    expect(sentenceOf(await backup(from, file))).toBe(`${file} already exists: name another file, or add --force.`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await backup(from, file, '--force')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"terse_backup":1,/);
    expect(readdirSync(folder)).toEqual(['terse.backup']);
  });

  it('a backup does not replace a folder or a device, even with --force', async () => {
    const [from, folder] = [await seedFolder(), makeFolder()];
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [folder, pipe]) {
      expect(sentenceOf(await backup(from, path, '--force'))).toBe(
        `${path} is not an ordinary file: name another one.`,
      );
    }
    expect([readdirSync(folder), statSync(pipe).isFIFO()]).toEqual([['pipe'], true]);
  });

  it('a backup prints nothing of the secrets of a service that was started', async () => {
    const project = copyProject();
    writeFileSync(join(project, '.dev.vars'), 'TOKEN_KEYS="[]"\n');
    const args = ['scripts/backup.ts', join(makeFolder(), 'terse.backup'), '--persist-to', await seedFolder()];
    const made = await runProcess(NODE, args, { cwd: project });
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).not.toContain('.dev.vars');
    expect(printedOnce(made.stdout, 'links')).toBe('300');
  });

  it('a folder without a database has no backup', async () => {
    const file = join(makeFolder(), 'terse.backup');
    expect(sentenceOf(await backup(makeFolder(), file))).toContain('There is no database to back up');
    expect(existsSync(file)).toBe(false);
  });

  it.each([[[]], [['a', 'b']], [['a', '--remote', '--persist-to', 'b']], [['a', '--what']]])(
    'a backup refuses the options %j with a sentence',
    (args) => {
      expect(() => readBackupOptions('backup', args)).toThrow(UsageError);
    },
  );

  it('a backup that cannot be written is reported in a sentence', async () => {
    const sentence = sentenceOf(await backup(await seedFolder(), '/nowhere/at/all'));
    expect(sentence).toBe('/nowhere/at/all cannot be written: name a file in a folder that you can write.');
  });
});

describe('a backup for which there is no room', () => {
  // A file may have 1,024 bytes. The foot takes about 90.
  it.each([
    ['in the midst of its rows', 5000],
    ['for a part of its foot only', 950],
  ])(
    'a backup for which there is no room is reported in a sentence, and leaves what was there before, and nothing else: %s',
    async (_where, bytes) => {
      const folder = makeFolder();
      const file = join(folder, 'terse.backup');
      writeFileSync(file, 'the last one');
      const script = `
      import { writeBackup } from '${join(ROOT, 'scripts/backup/file.ts')}';
      import { run } from '${join(ROOT, 'scripts/cli-error.ts')}';
      const row = { row: 'x'.repeat(${bytes}) };
      await run(() => writeBackup('${file}', { force: true }, async (line) => (line(row), {})));`;
      const args = ['-c', 'ulimit -f 1; exec "$@"', 'bash', NODE, '--input-type=module', '--eval', script];
      const sentence = sentenceOf(await runProcess('bash', args, { cwd: ROOT }));
      expect(sentence).toMatch(
        /^\S+terse\.backup cannot be written \(EFBIG: .*\): the incomplete file has been removed\.$/,
      );
      expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['terse.backup'], 'the last one']);
    },
  );
});

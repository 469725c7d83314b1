import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { writeBackup } from '../../scripts/backup/file.ts';
import { migrateDatabase, withDatabase } from '../../scripts/database.ts';
import { addUser } from '../../src/accounts/operator.ts';
import { leastCostHash } from '../support/least-cost.ts';
import { makeFolder } from '../scripts/support/processes.ts';
import { printedOnce, ROOT } from '../scripts/support/project.ts';
import { callBackup, callRestore } from '../scripts/support/tools.ts';

// The developer's own settings may name files to ignore.
vi.stubEnv('GIT_CONFIG_GLOBAL', devNull);

/** A repository with the same ignored files as this one. */
function makeRepository(): string {
  const repository = makeFolder();
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  copyFileSync(join(ROOT, '.gitignore'), join(repository, '.gitignore'));
  return repository;
}

it('writes files with password hashes only under names that git ignores, in any folder of the repository', async () => {
  const repository = makeRepository();
  const folder = join(repository, 'of the operator');
  mkdirSync(folder);
  const [persistTo, file] = [join(folder, 'state'), join(folder, 'terse.backup')];
  await withDatabase(persistTo, async (db) => {
    await migrateDatabase(db);
    await addUser(db, { name: 'ann', password: 'correct horse', clientId: 'acme' }, leastCostHash);
  });
  const done = { code: 0, stderr: '' };
  expect(await callBackup([file, '--persist-to', persistTo])).toMatchObject(done);
  expect(await callRestore([file, '--force', '--persist-to', persistTo])).toMatchObject(done);
  const readOffered = () => {
    const args = ['ls-files', '--others', '--exclude-standard', '-z'];
    const names = execFileSync('git', args, { cwd: repository }).toString().split('\0').filter(Boolean);
    return names.map((name) => ({ name, text: readFileSync(join(repository, name), 'latin1') }));
  };
  let offered: ReturnType<typeof readOffered> = [];
  // The files that remain if the tool is killed.
  await writeBackup(join(folder, 'odd.json'), { force: false }, async (line) => {
    line({ password_hash: '$scrypt$' });
    offered = readOffered();
    return {};
  });
  expect(offered.map(({ name }) => name)).toContain('.gitignore');
  expect(offered.filter(({ text }) => text.includes('$scrypt$')).map(({ name }) => name)).toEqual([]);
});

it('warns if git does not ignore the name of a backup', async () => {
  const [persistTo, repository] = [makeFolder(), makeRepository()];
  await withDatabase(persistTo, migrateDatabase);
  const backUp = async (name: string) => {
    const file = join(repository, name);
    const { code, stderr } = await callBackup([file, '--persist-to', persistTo]);
    return [code, statSync(file).mode & 0o777, stderr.replace(file, name)];
  };
  expect(await backUp('terse.backup')).toEqual([0, 0o600, '']);
  expect(await backUp('terse.json')).toEqual([
    0,
    0o600,
    'git does not ignore terse.json, which has password hashes in it: move it out of the repository, or have git ignore it.\n',
  ]);
});

it('warns in the same way for the backup that a restore writes', async () => {
  const [persistTo, repository] = [makeFolder(), makeFolder()];
  await withDatabase(persistTo, async (db) => {
    await migrateDatabase(db);
    await addUser(db, { name: 'ann', password: 'correct horse', clientId: 'acme' }, leastCostHash);
  });
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  const file = join(repository, 'terse.backup');
  await callBackup([file, '--persist-to', persistTo]);
  const { stdout, stderr } = await callRestore([file, '--force', '--persist-to', persistTo]);
  const replaced = printedOnce(stdout, 'replaced');
  expect(stderr).toContain(`git does not ignore ${replaced}, which `);
});

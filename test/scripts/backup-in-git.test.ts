import { execFileSync } from 'node:child_process';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applySchema, withDatabase } from '../../scripts/database.ts';
import { makeFolder } from './support/processes.ts';
import { ROOT, runTool } from './support/project.ts';

it('warns if git does not ignore the name of a backup', async () => {
  const [persistTo, repository] = [makeFolder(), makeFolder()];
  await withDatabase({ remote: false, persistTo }, applySchema);
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  copyFileSync(join(ROOT, '.gitignore'), join(repository, '.gitignore'));
  const backUp = async (name: string) => {
    const file = join(repository, name);
    const { code, stderr } = await runTool(['scripts/backup.ts', file, '--persist-to', persistTo]);
    return [code, statSync(file).mode & 0o777, stderr.replace(file, name)];
  };
  expect(await backUp('terse.backup')).toEqual([0, 0o600, '']);
  expect(await backUp('terse.json')).toEqual([
    0,
    0o600,
    'git does not ignore terse.json, which has password hashes in it: move it out of the repository, or name it *.backup.\n',
  ]);
});

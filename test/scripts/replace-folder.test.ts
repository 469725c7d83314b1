import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, runProcess } from './support/processes.ts';
import { NODE, ROOT } from './support/project.ts';
import { replaceFolder } from '../../scripts/worker-build/replace-folder.mjs';

const SCRIPT = `
import { replaceFolder } from ${JSON.stringify(new URL('../../scripts/worker-build/replace-folder.mjs', import.meta.url).href)};
for (let i = 0; i < 300; i++) {
  const text = process.pid + ':' + i;
  replaceFolder(process.argv[1], new Map([['index.mjs', text], ['later-' + process.pid + '.mjs', text]]));
}`;

it('processes that replace a folder at once all end well, and the files are those of one of them', async () => {
  const folder = join(makeFolder(), 'worker');
  const args = ['--input-type=module', '--eval', SCRIPT, folder];
  const ended = await Promise.all([1, 2, 3, 4].map(() => runProcess(NODE, args, { cwd: ROOT })));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(Array.from({ length: 4 }, () => [0, '']));
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(texts).toEqual([texts[0], texts[0]]);
  expect(readdirSync(join(folder, '..'))).toEqual(['worker']);
});

it('a folder that has the files already is left alone, and one that has more of them is not', () => {
  const folder = join(makeFolder(), 'worker');
  const written = () => statSync(join(folder, 'index.mjs')).ino;
  replaceFolder(
    folder,
    new Map([
      ['index.mjs', '1'],
      ['later.mjs', '2'],
    ]),
  );
  const first = written();
  replaceFolder(
    folder,
    new Map([
      ['index.mjs', '1'],
      ['later.mjs', '2'],
    ]),
  );
  expect(written()).toBe(first);
  replaceFolder(folder, new Map([['index.mjs', '1']]));
  expect(readdirSync(folder)).toEqual(['index.mjs']);
});

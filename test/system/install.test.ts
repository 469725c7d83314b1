import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, runProcess, strangersEnv, type Outcome } from '../scripts/support/processes.ts';
import { NODE, ROOT } from '../scripts/support/project.ts';

/**
 * A project in which nothing is installed, and an `npm` that notes what it is asked and answers with an exit code.
 *
 * @param isCacheOld whether npm fails with what its cache says of the packages
 */
function bareProject(exitCode = 0, seconds = 0, isCacheOld = false) {
  const folder = makeFolder();
  const bin = makeFolder();
  mkdirSync(join(folder, 'scripts'));
  copyFileSync(join(ROOT, 'scripts/install.mjs'), join(folder, 'scripts/install.mjs'));
  copyFileSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'));
  const old = isCacheOld ? 'case "$*" in *--prefer-offline*) echo ETARGET >&2; exit 1;; esac\n' : '';
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh\n[ "$1" = view ] && exit ${exitCode}\necho "$@" >> asked\nmkdir -p node_modules\nsleep ${seconds}\n${old}exit ${exitCode}\n`,
  );
  chmodSync(join(bin, 'npm'), 0o755);
  const env = strangersEnv();
  return {
    folder,
    install: (): Promise<Outcome> =>
      runProcess(NODE, [join(folder, 'scripts/install.mjs')], {
        cwd: makeFolder(),
        env: { ...env, PATH: [bin, env.PATH].join(delimiter) },
      }),
    /** The commands of npm until now, in the project's folder. */
    asked: () =>
      (existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8') : '').split('\n').slice(0, -1),
  };
}

it('the installation has what package-lock.json names, once, from wherever it is run', async () => {
  const { install, asked } = bareProject();
  expect(await install()).toEqual({ code: 0, stdout: '', stderr: 'Installing packages …\n' });
  expect(asked()).toEqual([expect.stringMatching(/^ci /)]);

  expect(await install()).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(asked()).toHaveLength(1);
});

it('the installation says every few seconds that it is still installing, and runs npm offline without a connection', async () => {
  const { install, asked } = bareProject(1, 12);
  const { code, stderr } = await install();
  expect(code).toBe(1);
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    'Installing packages …',
    expect.stringMatching(/^Still installing, after \d+ s …$/),
  ]);
  expect(asked()[0]).toMatch(/^ci .* --offline$/);
});

it('the installation asks the registry if the cache of npm does not know a version yet', async () => {
  const { install, asked } = bareProject(0, 0, true);
  expect(await install()).toEqual({ code: 0, stdout: '', stderr: 'Installing packages …\n' });
  expect(asked()).toEqual([expect.stringMatching(/^ci .*--prefer-offline/), expect.not.stringContaining('offline')]);
});

it('the installation runs again when package-lock.json has changed', async () => {
  const { folder, install, asked } = bareProject();
  await install();
  appendFileSync(join(folder, 'package-lock.json'), '\n');
  expect(await install()).toMatchObject({ code: 0 });
  expect(asked()).toHaveLength(2);
});

it('the installation says what to check when npm fails, and tries again the next time', async () => {
  const { install, asked } = bareProject(1);
  for (const times of [1, 2]) {
    expect(await install()).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Installing packages …\nThe packages could not be installed: check the connection to the npm registry, then try again.\n',
    });
    expect(asked()).toHaveLength(times);
  }
});

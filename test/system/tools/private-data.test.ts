import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { report, UsageError } from '../../../scripts/cli-error.ts';
import { createStateFolder, keepOrigin } from '../../../scripts/state.ts';
import { makeFolder, runProcess } from '../../scripts/support/processes.ts';
import { ROOT } from '../../scripts/support/project.ts';
import { callAccount, callBackup } from '../../scripts/support/tools.ts';

/** The folder of local data: who can read it, and what a start says of one that cannot hold data. */

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Every path below a folder, with its mode. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => !lstatSync(path).isSymbolicLink() && (modeOf(path) & 0o077) !== 0);
}

describe('the folder of local data', () => {
  it('the folder of local data is for its owner only, with all that the tools write there', async () => {
    const folder = join(makeFolder(), 'state');
    expect(await callAccount(['add', 'ann', '--client', 'acme', '--persist-to', folder])).toMatchObject({ code: 0 });
    expect(modeOf(folder)).toBe(0o700);
    expect(openToOthers(folder)).toEqual([]);
    expect(existsSync(join(folder, 'v3/d1'))).toBe(true);
  });

  it('the folder of local data is for its owner only also where an earlier version has created it, and links in it are not followed', async () => {
    const folder = join(makeFolder(), 'state');
    await callAccount(['add', 'ann', '--client', 'acme', '--persist-to', folder]);
    const outside = join(makeFolder(), 'outside');
    writeFileSync(outside, 'x');
    chmodSync(outside, 0o644);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
    }
    chmodSync(folder, 0o755);
    symlinkSync(outside, join(folder, 'v3', 'link'));
    await callAccount(['list', '--persist-to', folder]);
    expect(modeOf(folder)).toBe(0o700);
    expect(openToOthers(folder)).toEqual([]);
    expect(modeOf(outside)).toBe(0o644);
  });

  it('the folder of local data leaves its owner what else they keep there, a program included', () => {
    const folder = makeFolder();
    const program = join(folder, 'backup.sh');
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
    createStateFolder(folder);
    expect([modeOf(folder), modeOf(program)]).toEqual([0o700, 0o700]);
  });

  it('the folder of local data keeps its mode if others share it, such as /tmp', () => {
    const folder = makeFolder();
    chmodSync(folder, 0o1777);
    createStateFolder(folder);
    expect(statSync(folder).mode & 0o7777).toBe(0o1777);
    expect(modeOf(join(folder, 'v3'))).toBe(0o700);
  });
});

describe('a folder that cannot hold data', () => {
  it.each(['/proc/1', '/proc/self/new/state', '/sys/terse', '/dev/null', '/dev/null/state'])(
    'a folder that cannot hold data is refused at once: %s',
    async (folder) => {
      const code = `import { createStateFolder } from './scripts/state.ts'; import { run } from './scripts/cli-error.ts';
        await run(async () => void createStateFolder('${folder}'));`;
      const outcome = await runProcess(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: ROOT,
        deadlineMs: 60_000,
      });
      expect(outcome).toEqual({
        code: 2,
        stdout: '',
        stderr: `The folder ${folder} cannot be written: choose another with --persist-to DIR.\n`,
      });
    },
  );
});

describe('a full disk', () => {
  const said = (error: unknown) => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const code = report(error);
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    return [code, ...lines];
  };
  const FULL = 'The disk is full: free some space, then run the same command again.';

  it('a full disk is called full where a write fails, as of a file that takes nothing', () => {
    const folder = makeFolder();
    // The kernel refuses each write to this device as one to a full disk.
    symlinkSync('/dev/full', join(folder, 'last-origin'));
    let error: unknown = null;
    try {
      keepOrigin(folder, 'http://localhost:8787');
    } catch (cause) {
      error = cause;
    }
    expect(said(error)).toEqual([2, FULL]);
  });

  it('a full disk is called full whatever has failed because of it', () => {
    const full = new Error('D1_ERROR: database or disk is full: SQLITE_FULL');
    expect(said(full)).toEqual([2, FULL]);
    expect(said(new UsageError('X cannot be written.', { cause: new Error('lost', { cause: full }) }))).toEqual([
      2,
      `${FULL} X cannot be written.`,
    ]);
    expect(said(new UsageError('Choose another name.'))).toEqual([2, 'Choose another name.']);
    expect(said(new Error('a bug'))[0]).toBe(1);
  });
});

describe('what a killed backup has left', () => {
  it('what a killed backup has left is removed by the next one, and nothing else', async () => {
    const folder = makeFolder();
    const state = join(makeFolder(), 'state');
    await callAccount(['add', 'ann', '--client', 'acme', '--persist-to', state]);
    const { pid: dead } = await runProcess('sh', ['-c', 'echo $$'], { cwd: folder }).then(({ stdout }) => ({
      pid: stdout.trim(),
    }));
    const left = '{"terse_backup":1,"version":"1.2.0"}\n';
    const kept = {
      [`other.backup.partial-${process.pid}`]: left,
      [`notes.partial-${dead}`]: 'of another program',
      'x.partial-': left,
      'x.partial-12x': left,
    };
    writeFileSync(join(folder, `old.backup.partial-${dead}`), left);
    for (const [name, text] of Object.entries(kept)) writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, `folder.partial-${dead}`));
    symlinkSync(join(folder, 'x.partial-'), join(folder, `link.partial-${dead}`));
    expect(await callBackup([join(folder, 'new.backup'), '--persist-to', state])).toMatchObject({ code: 0 });
    expect(readdirSync(folder).toSorted()).toEqual(
      [...Object.keys(kept), `folder.partial-${dead}`, `link.partial-${dead}`, 'new.backup'].toSorted(),
    );
    expect(readFileSync(join(folder, 'x.partial-'), 'utf8')).toBe(left);
  });
});

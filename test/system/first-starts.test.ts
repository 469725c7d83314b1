import {
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkStoredDatabase } from '../../scripts/stored-database.ts';
import { freePort, makeFolder, runProcess, strangersEnv, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, linesOf, NODE, printedAccount, type PrintedAccount } from '../scripts/support/project.ts';
import { askForToken, startServer, type Server } from '../scripts/support/server.ts';

/** A folder in which no user can make a file, not even root. */
const NO_FOLDER = '/dev/null/none';

/** A folder whose path has a space. */
const spacious = (): string => {
  const folder = join(makeFolder(), 'a state');
  mkdirSync(folder);
  return folder;
};

describe('a first start without a home and a folder for temporary files', () => {
  const folder = copyProject();
  const persistTo = spacious();
  let server: Server;
  let account: PrintedAccount;

  beforeAll(async () => {
    const command = ['env', `TMPDIR=${NO_FOLDER}`, `HOME=${NO_FOLDER}`, NODE, 'scripts/start.ts'] as const;
    server = await startServer({ folder, persistTo, command });
    account = printedAccount(server.output());
  });

  it('a first start without a home and a folder for temporary files works, and prints commands that keep their file elsewhere', async () => {
    expect((await askForToken(server.origin, account.user, account.password)).status).toBe(201);
    expect(server.output()).not.toContain(NO_FOLDER);
    expect(server.output()).toContain(`tee '${join(persistTo, 'first-link.json')}'`);
  });

  it('a first start without a home and a folder for temporary files prints nothing between the start and the account', () => {
    expect(linesOf(server.output()).slice(0, 2)).toEqual(['Starting …', `Serving on ${server.origin}`]);
  });

  describe('a database that is no longer valid by the next start', () => {
    const good = join(makeFolder(), 'good.sqlite');
    let file: string;

    beforeAll(async () => {
      await server.end('SIGTERM');
      const stored = join(persistTo, 'v3/d1/miniflare-D1DatabaseObject');
      const name = readdirSync(stored).find((found) => /^[0-9a-f]{64}\.sqlite$/.test(found));
      file = join(stored, name ?? 'none');
      // Moves the log into the file.
      const database = new DatabaseSync(file);
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
      copyFileSync(file, good);
    });

    beforeEach(() => {
      for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
      copyFileSync(good, file);
    });

    it.each([
      ['cut off', () => truncateSync(file, 5000)],
      ['another kind of file', () => writeFileSync(file, 'no database at all, but some text\n'.repeat(200))],
      ['written over in the middle', () => writeSync(openSync(file, 'r+'), Buffer.alloc(4096, 7), 0, 4096, 4096 * 3)],
    ])('a start on a database that is no longer valid says that it is damaged if it is %s', async (_, damage) => {
      damage();
      const sentence = await refusal();
      expect(sentence).toMatch(
        /^The database in .+ is damaged \([^\n]+\): move that folder away, then restore a backup/,
      );
    });

    it.each([
      ['is empty', () => truncateSync(file, 0)],
      ['is not there', () => rmSync(file)],
    ])('a start on a database that is no longer valid creates no second account if it %s', async (_, lose) => {
      lose();
      expect(await refusal()).toBe(
        `The database in ${persistTo} has lost its users, and possibly other data: restore a backup with ` +
          '"npm run restore -- FILE", or remove that folder to start again.',
      );
    });

    it('a start on a database that is no longer valid serves it again once it is repaired', async () => {
      const again = await startServer({ folder, persistTo });
      expect((await askForToken(again.origin, account.user, account.password)).status).toBe(201);
      await again.end('SIGTERM');
    });

    /** The one sentence with which a start ends. */
    async function refusal(): Promise<string> {
      const args = ['scripts/start.ts', '--port', String(await freePort()), '--persist-to', persistTo];
      return sentenceOf(await runProcess(NODE, args, { cwd: folder, env: strangersEnv() }));
    }
  });
});

describe('what cannot be read or written', () => {
  it.each([
    [
      'that is a folder',
      (file: string) => mkdirSync(file),
      /^\.dev\.vars cannot be read: check that it is a file of your user, or remove it/,
    ],
    [
      'that cannot be made',
      (file: string) => symlinkSync(NO_FOLDER, file),
      /^\.dev\.vars cannot be written: change the owner of the project folder to your user\.$/,
    ],
  ])('a file that cannot be read or written is refused with its cure: a .dev.vars %s', async (_, make, sentence) => {
    const folder = copyProject();
    make(join(folder, '.dev.vars'));
    const args = ['scripts/start.ts', '--port', String(await freePort())];
    expect(sentenceOf(await runProcess(NODE, args, { cwd: folder, env: strangersEnv() }))).toMatch(sentence);
  });

  it('a database that cannot be read or written is refused with its cure', () => {
    const persistTo = makeFolder();
    const stored = join(persistTo, 'v3/d1/miniflare-D1DatabaseObject');
    mkdirSync(stored, { recursive: true });
    symlinkSync(NO_FOLDER, join(stored, `${'0'.repeat(64)}.sqlite`));
    expect(() => checkStoredDatabase(persistTo)).toThrow(
      `The database in ${persistTo} cannot be written: give your user write access to that folder and its files, or choose another with --persist-to DIR.`,
    );
  });
});

/** The one sentence with which a start ends. */
function sentenceOf({ code, stdout, stderr }: Outcome): string {
  expect([code, stdout]).toEqual([2, '']);
  const lines = linesOf(stderr);
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

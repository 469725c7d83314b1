import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkBackup } from '../../scripts/backup/file.ts';
import { withDatabase } from '../../scripts/database.ts';
import { UsageError } from '../../scripts/cli-error.ts';
import { integrityOf, statisticsIn } from '../scripts/support/data.ts';
import { makeFolder, until } from '../scripts/support/processes.ts';
import { copyProject, printedOnce } from '../scripts/support/project.ts';
import { ask, makeLink, startServer } from '../scripts/support/server.ts';
import { callAccount } from '../scripts/support/tools.ts';
import {
  all,
  backup,
  readLimits,
  restore,
  rewrite,
  sample,
  seedFolder,
  seedLimits,
  seedStatistics,
  sentenceOf,
} from '../scripts/support/backups.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';

describe('a restore', () => {
  it('a restore replaces what is there with --force only, and all of it, with the counts of limited links', async () => {
    const [from, to] = [await seedFolder(), await seedFolder('Bob')];
    // Some have redirected no visitor, then or since.
    const then = { l1: { since: 1000, taken: 3 }, l2: null };
    const since = { l1: { since: 1000, taken: 7 }, l2: { since: 2000, taken: 4 } };
    await seedLimits(from, then);
    await seedLimits(to, since);
    const file = join(makeFolder(), 'terse.backup');
    const made = await backup(from, file);
    expect([made.code, printedOnce(made.stdout, 'limited links'), printedOnce(made.stdout, 'rows')]).toEqual([
      0,
      '2',
      '947',
    ]);
    const before = all(to);
    expect(sentenceOf(await restore(to, file))).toBe(
      'The database is not empty, and nothing was changed: --force replaces all existing data.',
    );
    expect(all(to)).toEqual(before);
    const forced = await restore(to, file, '--force');
    expect([forced.code, printedOnce(forced.stdout, 'limited links')]).toEqual([0, '2']);
    expect(all(to)).toEqual(all(from));
    expect(await readLimits(to, ['l1', 'l2', 'l3'])).toEqual({ ...then, l3: null });
    // What was replaced is in a backup, and can be restored from it.
    expect((await restore(to, printedOnce(forced.stdout, 'replaced'), '--force')).code).toBe(0);
    expect(all(to)).toEqual(before);
    expect(await readLimits(to, ['l1', 'l2'])).toEqual(since);
  });

  it.each<[what: string, damage: (text: string) => string]>([
    ['a value was changed', (text) => text.replace('https://example.com/7"', 'https://example.net/7"')],
    ['a row is missing', (text) => text.replace(/\["l7",.*\n/, '')],
    ['its end is missing', (text) => text.slice(0, -200)],
    ['something was added', (text) => `${text}[]\n`],
    ['it is none', () => 'not a backup\n'],
    ['it is empty', () => ''],
    ['it is of another version', (text) => text.replace('"terse_backup":1', '"terse_backup":2')],
  ])('a restore takes no file where %s', async (_what, damage) => {
    const file = join(makeFolder(), 'terse.backup');
    writeFileSync(file, damage(await sample()));
    await expect(checkBackup(file)).rejects.toThrow(/is damaged or not a backup|is not a backup that/);
    await expect(checkBackup(file)).rejects.toThrow(UsageError);
  });

  it('a restore of a damaged file changes nothing', async () => {
    const persistTo = await seedFolder();
    const file = join(makeFolder(), 'terse.backup');
    writeFileSync(file, (await sample()).slice(0, -200));
    const before = all(persistTo);
    expect(sentenceOf(await restore(persistTo, file, '--force'))).toBe(
      `${file} is damaged or not a backup: nothing was changed.`,
    );
    expect(all(persistTo)).toEqual(before);
  });

  it('a restore refuses a backup of other tables, and changes nothing', async () => {
    const from = await seedFolder();
    await withDatabase(from, (db) => db.batch([{ sql: 'ALTER TABLE links ADD COLUMN colour TEXT', params: [] }]));
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    const to = await seedFolder('Bob');
    const before = all(to);
    expect(sentenceOf(await restore(to, file, '--force'))).toContain('does not fit the tables of this database');
    expect(all(to)).toEqual(before);
  });

  it('a restore stops if the backup breaks a rule of the database, and another backup replaces it', async () => {
    const [from, to] = [await seedFolder(), await seedFolder('Bob')];
    // As the database itself would never have it: a host in capitals.
    await withDatabase(from, async (db) => {
      const [[domains]] = await db.batch<[{ sql: string }]>([
        { sql: `SELECT sql FROM sqlite_schema WHERE name = 'domains'`, params: [] },
      ]);
      const loose = domains?.sql.replace(`CHECK (host = lower(host) AND host <> '')`, '') ?? '';
      const insert = `INSERT INTO domains (id, client_id, host) VALUES ('d', 'c', 'GO.example')`;
      await db.batch(['DROP TABLE domains', loose, insert].map((sql) => ({ sql, params: [] })));
    });
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    const before = all(to);
    const stopped = await restore(to, file, '--force');
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toMatch(
      /^The restore stopped, and the service returns 503 until a restore is finished: .*CHECK constraint failed/,
    );
    const replaced = printedOnce(stopped.stdout, 'replaced');
    expect(sentenceOf(await callAccount(['list', '--persist-to', to]))).toBe(
      'The database is being restored from a backup. Try again in a few minutes.',
    );
    expect(sentenceOf(await restore(to, replaced))).toMatch(/^The restore of another backup is not finished/);
    expect((await restore(to, replaced, '--force')).code).toBe(0);
    expect(all(to)).toEqual(before);
  });

  it('a restore continues after it was killed, without --force, and drops tables left by an earlier version', async () => {
    const [from, to] = [await seedFolder(), await seedFolder('Bob')];
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    const { sha256 } = await checkBackup(file);
    const leave = [
      'CREATE TABLE restoring_links AS SELECT * FROM links',
      'CREATE TABLE restoring_users (id TEXT) STRICT',
      `INSERT INTO restores VALUES (1, '${sha256}', 0, 0, 0)`,
    ];
    await withDatabase(to, (db) => db.batch(leave.map((sql) => ({ sql, params: [] }))));
    const again = join(makeFolder(), 'terse.backup');
    expect(sentenceOf(await backup(to, again))).toMatch(/^A restore is not finished/);
    const outcome = await restore(to, file);
    expect([outcome.code, outcome.stderr]).toEqual([0, '']);
    expect(all(to)).toEqual(all(from));
    expect(integrityOf(to)).toEqual(['ok']);
  });

  it('a restore restores a backup of a database that was upgraded from the first version, and says what it leaves out', async () => {
    const [from, to] = [await seedFolder(), makeFolder()];
    const before = all(from);
    const leftover = 'ALTER TABLE links ADD COLUMN clicks INTEGER NOT NULL DEFAULT 0';
    await withDatabase(from, (db) => db.batch([{ sql: leftover, params: [] }]));
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    expect(readFileSync(file, 'utf8')).toContain('"clicks"');
    const outcome = await restore(to, file);
    expect([outcome.code, outcome.stderr]).toEqual([0, 'Left out, as it is no longer used: links.clicks.\n']);
    expect(all(to)).toEqual(before);
  });

  it('a restore fills tables and columns that an older backup lacks, as an upgrade does', async () => {
    const [from, to] = [await seedFolder(), makeFolder()];
    const before = all(from);
    const older = ['ALTER TABLE users DROP COLUMN time_zone', 'DROP TABLE blocked_hosts'];
    await withDatabase(from, (db) => db.batch(older.map((sql) => ({ sql, params: [] }))));
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    expect((await restore(to, file)).code).toBe(0);
    expect(all(to)).toEqual({ ...before, blocked_hosts: [] });
  });

  it('a restore of a backup without click statistics removes those that the client has', async () => {
    const [from, to] = [await seedFolder(), makeFolder()];
    await seedStatistics(to);
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    const older = await rewrite(file, (lines) =>
      lines.slice(
        0,
        lines.findIndex((line) => line.includes('ClientStat')),
      ),
    );
    expect((await restore(to, older)).code).toBe(0);
    expect(all(to)).toEqual(all(from));
    // As those of a client that was never clicked.
    expect(statisticsIn(to)).toEqual(statisticsIn(from));
  });

  it('a restore is seen by the next visitor, with anything in the cache, and in the click statistics', async () => {
    const [folder, persistTo] = [copyProject(), makeFolder()];
    const file = join(makeFolder(), 'terse.backup');
    const target = async (origin: string, id: string) =>
      (await fetch(`${origin}/${id}`, { redirect: 'manual' })).headers.get('Location');

    const first = await startServer({ folder, persistTo });
    const apiKey = printedOnce(first.output(), 'api_key');
    const link = await makeLink(first.origin, apiKey, { url: 'https://example.com/old', client_id: 'default' });
    const click = () => ask(`${first.origin}/${link.id}`, { headers: { 'User-Agent': BROWSER } });
    const clicks = async (): Promise<number> => {
      const shown = await ask(`${first.origin}/v1/links/${link.id}`, { headers: { 'X-API-Key': apiKey } });
      return JSON.parse(shown.body).clicks.humans;
    };
    await click();
    await until('the click is counted', async () => (await clicks()) === 1);
    const made = await backup(persistTo, file);
    expect(made.code).toBe(0);
    await click();
    await until('the second click is counted', async () => (await clicks()) === 2);
    const edit = await fetch(`${first.origin}/v1/links/${link.id}`, {
      method: 'PATCH',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.com/new' }),
    });
    expect(edit.status).toBe(200);
    expect(await target(first.origin, link.id)).toBe('https://example.com/new');
    const restored = await restore(persistTo, file, '--force');
    expect([restored.code, printedOnce(restored.stdout, 'cache entries removed')]).toEqual([0, '1']);
    expect(await target(first.origin, link.id)).toBe('https://example.com/old');
    expect(await clicks()).toBe(1);
    // The clicks that were replaced are in a backup too.
    await restore(persistTo, printedOnce(restored.stdout, 'replaced'), '--force');
    expect(await clicks()).toBe(2);
    await first.end('SIGTERM');
  });
});

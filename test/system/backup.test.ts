import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkBackup } from '../../scripts/backup/file.ts';
import { readBackupOptions } from '../../scripts/backup/options.ts';
import { applySchema, withDatabase } from '../../scripts/database.ts';
import { UsageError } from '../../scripts/cli-error.ts';
import { integrityOf, rowsIn } from '../scripts/support/data.ts';
import { makeFolder, runProcess, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedOnce, ROOT, runTool } from '../scripts/support/project.ts';
import { makeLink, startServer } from '../scripts/support/server.ts';
import { callAccount, callBackup, callRestore } from '../scripts/support/tools.ts';

const ODD = `\0 " ' \\ \u2028 ü 😀 \r\n line; DROP TABLE links --`;
const LARGE = '9007199254740993';

const backup = (persistTo: string, ...args: string[]): Promise<Outcome> =>
  callBackup([...args, '--persist-to', persistTo]);
const restore = (persistTo: string, ...args: string[]): Promise<Outcome> =>
  callRestore([...args, '--persist-to', persistTo]);
const all = (persistTo: string) => rowsIn(persistTo, { bigInts: true });

/** A folder with a database in which no table is empty, some values are odd, and one table takes several pages. */
async function seedFolder(name = 'Ann'): Promise<string> {
  const persistTo = makeFolder();
  await withDatabase(persistTo, async (db) => {
    await applySchema(db);
    await db.batch(SEED.map((sql) => ({ sql, params: [name, ODD, LARGE].slice(0, Number(/\?3/.test(sql)) * 3) })));
  });
  return persistTo;
}

// A statement that has ?3 takes the three of them.
const SEED = [
  `INSERT INTO users (id, name, password_hash, created_at) VALUES ('u', ?1 || ?2, 'hash', CAST(?3 AS INTEGER))`,
  `INSERT INTO clients (id, created_at) VALUES ('c', -1)`,
  `INSERT INTO members (user_id, client_id, created_at) VALUES ('u', 'c', 1)`,
  `INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, created_at) VALUES ('k', 'c', 'u', ?2 || ?1, 'h', CAST(?3 AS INTEGER))`,
  `INSERT INTO invites (id, client_id, user_id, token_hash, role, created_at, expires_at) VALUES ('i', 'c', 'u', 't', 'member', 1, 2)`,
  `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id, credential_kind, credential_id) VALUES ('c', 1, 'e', 'key.created', 'k', NULL, NULL, 'u', 'x', 'y')`,
  `INSERT INTO token_families (id, user_id, started_at, ends_at) VALUES ('f', 'u', 1, 2)`,
  `INSERT INTO refresh_tokens (hash, family_id, status) VALUES ('r', 'f', 'live')`,
  `INSERT INTO sessions (hash, family_id, seen_at) VALUES ('s', 'f', 1)`,
  `INSERT INTO domains (id, client_id, host) VALUES ('d', 'c', 'go.example')`,
  `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300)
    INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
    SELECT 'l' || n, '', 'l' || n, 'c', 's', 'https://example.com/' || n, 1, 1, 1 FROM n`,
  `INSERT INTO addresses (domain_id, folded, slug, link_id) SELECT '', id, id, id FROM links`,
  `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300)
    INSERT INTO link_history (link_id, n, at, action, url, changes, edit_id)
    SELECT 'l1', n, 1, 'edited', 'https://example.com/', '{}', n FROM n`,
  `INSERT INTO idempotency_keys (client_id, key, fingerprint, answer, created_at) VALUES ('c', 'key', '', '', 0)`,
  `INSERT INTO click_days (client_id, subject, name, day, humans, bots, previews, last_at, hours, countries, referrers, browsers, systems, devices, languages)
    VALUES ('c', 'client', '', '2026-01-01', 1, 2, 3, 4, '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
  `INSERT INTO spent_forms (client_id, nonce, subject_id, secret_hash, created_at) VALUES ('c', 'n', 'k', 'h', 1)`,
  `INSERT INTO password_resets (id, token_hash, user_id, created_at, expires_at) VALUES ('p', 'h', 'u', 1, 2)`,
  `INSERT INTO encode_days (client_id, day, user_id, made, refused) VALUES ('c', '2026-01-01', 'u', 1, 0)`,
  `INSERT INTO blocked_hosts (host, blocked_at) VALUES ('evil.example', 1)`,
  `INSERT INTO seen_packs (id, packed_at) VALUES ('p', 1)`,
  `INSERT INTO visitor_salts (day, salt) VALUES ('2026-01-01', 'salt')`,
  `INSERT INTO visitor_marks (day, link_id, hour, marks) VALUES ('2026-01-01', 'l1', 23, '[]')`,
];

let sampled: Promise<string> | undefined;

/** What a backup looks like. */
const sample = () => (sampled ??= makeSample());

async function makeSample(): Promise<string> {
  const file = join(makeFolder(), 'terse.backup');
  await backup(await seedFolder(), file);
  return readFileSync(file, 'utf8');
}

/** Expects a refusal: exit code 2, nothing on stdout, and one line on stderr, which it gives. */
function sentenceOf(outcome: Outcome): string {
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
  return outcome.stderr.trimEnd();
}

describe('a backup', () => {
  it('holds every row of every table as it is, and can be restored elsewhere', async () => {
    const [from, to] = [await seedFolder(), makeFolder()];
    const before = all(from);
    expect(Object.entries(before).filter(([table, rows]) => rows.length === 0 && table !== 'restores')).toEqual([]);
    expect(before['users']).toEqual([expect.objectContaining({ name: `Ann${ODD}`, created_at: BigInt(LARGE) })]);
    const file = join(makeFolder(), 'terse.backup');

    const made = await runTool(['scripts/backup.ts', file, '--persist-to', from]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect([printedOnce(made.stdout, 'links'), printedOnce(made.stdout, 'rows')]).toEqual(['300', '919']);
    expect(all(from)).toEqual(before);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const restored = await runTool(['scripts/restore.ts', file, '--persist-to', to]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(printedOnce(restored.stdout, 'rows')).toBe('919');
    expect(all(to)).toEqual(before);
    expect(integrityOf(to)).toEqual(['ok']);
  });

  it('takes no other file’s place without --force, and leaves nothing half written behind', async () => {
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

  it('does not replace a folder or a device, even with --force', async () => {
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

  it('of a folder without a database is none', async () => {
    const file = join(makeFolder(), 'terse.backup');
    expect(sentenceOf(await backup(makeFolder(), file))).toContain('There is no database to back up');
    expect(existsSync(file)).toBe(false);
  });

  it.each([[[]], [['a', 'b']], [['a', '--remote', '--persist-to', 'b']], [['a', '--what']]])(
    'is not made of %j, which is told with a sentence',
    (args) => {
      expect(() => readBackupOptions('backup', args)).toThrow(UsageError);
    },
  );

  it('that cannot be written is reported in a sentence', async () => {
    const told = sentenceOf(await backup(await seedFolder(), '/nowhere/at/all'));
    expect(told).toBe('/nowhere/at/all cannot be written: name a file in a folder that you can write.');
  });
});

describe('a backup for which there is no room', () => {
  // A file may have 1,024 bytes. The foot takes about 90.
  it.each([
    ['in the midst of its rows', 5000],
    ['for a part of its foot only', 950],
  ])('%s is reported in a sentence, and leaves what was there before, and nothing else', async (_where, bytes) => {
    const folder = makeFolder();
    const file = join(folder, 'terse.backup');
    writeFileSync(file, 'the last one');
    const script = `
      import { writeBackup } from '${join(ROOT, 'scripts/backup/file.ts')}';
      import { run } from '${join(ROOT, 'scripts/cli-error.ts')}';
      const row = { row: 'x'.repeat(${bytes}) };
      await run(() => writeBackup('${file}', { force: true }, async (line) => (line(row), {})));`;
    const args = ['-c', 'ulimit -f 1; exec "$@"', 'bash', NODE, '--input-type=module', '--eval', script];
    const told = sentenceOf(await runProcess('bash', args, { cwd: ROOT }));
    expect(told).toMatch(/^\S+terse\.backup cannot be written \(EFBIG: .*\): the incomplete file has been removed\.$/);
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['terse.backup'], 'the last one']);
  });
});

describe('a restore', () => {
  it('replaces what is there with --force only, and all of it', async () => {
    const [from, to] = [await seedFolder(), await seedFolder('Bob')];
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    const before = all(to);
    expect(sentenceOf(await restore(to, file))).toBe(
      'The database is not empty, and nothing was changed: --force replaces all existing data.',
    );
    expect(all(to)).toEqual(before);
    const forced = await restore(to, file, '--force');
    expect(forced.code).toBe(0);
    expect(all(to)).toEqual(all(from));
    // The replaced rows are in a backup, and can be restored from it.
    expect((await restore(to, printedOnce(forced.stdout, 'replaced'), '--force')).code).toBe(0);
    expect(all(to)).toEqual(before);
  });

  it.each<[what: string, damage: (text: string) => string]>([
    ['a value was changed', (text) => text.replace('https://example.com/7"', 'https://example.net/7"')],
    ['a row is missing', (text) => text.replace(/\["l7",.*\n/, '')],
    ['its end is missing', (text) => text.slice(0, -200)],
    ['something was added', (text) => `${text}[]\n`],
    ['it is none', () => 'not a backup\n'],
    ['it is empty', () => ''],
    ['it is of another version', (text) => text.replace('"terse_backup":1', '"terse_backup":2')],
  ])('takes no file where %s', async (_what, damage) => {
    const file = join(makeFolder(), 'terse.backup');
    writeFileSync(file, damage(await sample()));
    await expect(checkBackup(file)).rejects.toThrow(/is damaged or not a backup|is not a backup that/);
    await expect(checkBackup(file)).rejects.toThrow(UsageError);
  });

  it('of a damaged file changes nothing', async () => {
    const persistTo = await seedFolder();
    const file = join(makeFolder(), 'terse.backup');
    writeFileSync(file, (await sample()).slice(0, -200));
    const before = all(persistTo);
    expect(sentenceOf(await restore(persistTo, file, '--force'))).toBe(
      `${file} is damaged or not a backup: nothing was changed.`,
    );
    expect(all(persistTo)).toEqual(before);
  });

  it('refuses a backup of other tables, and changes nothing', async () => {
    const from = await seedFolder();
    await withDatabase(from, (db) => db.batch([{ sql: 'ALTER TABLE links ADD COLUMN colour TEXT', params: [] }]));
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    const to = await seedFolder('Bob');
    const before = all(to);
    expect(sentenceOf(await restore(to, file, '--force'))).toContain('does not fit the tables of this database');
    expect(all(to)).toEqual(before);
  });

  it('stops if the backup breaks a rule of the database, and another backup replaces it', async () => {
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

  it('goes on after it was killed, without --force, and drops tables left by an earlier version', async () => {
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

  it('restores a backup of a database that was upgraded from the first version, and says what it leaves out', async () => {
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

  it('fills tables and columns that an older backup lacks, as an upgrade does', async () => {
    const [from, to] = [await seedFolder(), makeFolder()];
    const before = all(from);
    const older = ['ALTER TABLE users DROP COLUMN time_zone', 'DROP TABLE blocked_hosts'];
    await withDatabase(from, (db) => db.batch(older.map((sql) => ({ sql, params: [] }))));
    const file = join(makeFolder(), 'terse.backup');
    await backup(from, file);
    expect((await restore(to, file)).code).toBe(0);
    expect(all(to)).toEqual({ ...before, blocked_hosts: [] });
  });

  it('is seen by the next visitor, whatever the cache held', async () => {
    const [folder, persistTo] = [copyProject(), makeFolder()];
    const file = join(makeFolder(), 'terse.backup');
    const target = async (origin: string, id: string) =>
      (await fetch(`${origin}/${id}`, { redirect: 'manual' })).headers.get('Location');

    const first = await startServer({ folder, persistTo });
    const apiKey = printedOnce(first.output(), 'api_key');
    const link = await makeLink(first.origin, apiKey, { url: 'https://example.com/old', client_id: 'default' });
    expect((await backup(persistTo, file)).code).toBe(0);
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
    await first.end('SIGTERM');
  });
});

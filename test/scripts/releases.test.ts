import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readChangelog } from '../../scripts/changelog/files.ts';
import { releaseFixture } from '../../scripts/release-fixture.ts';
import { knownSchema } from '../../scripts/release-fixture/known.ts';
import { makeFolder } from './support/processes.ts';
import { ROOT } from './support/project.ts';

const FOLDER = join(ROOT, 'test/releases');
const versions = readChangelog(ROOT).releases.map(({ version }) => version);

it('has a fixture of every release, and the Worker of the newest alone', () => {
  // Where this fails after a release: npm run release:fixture.
  expect(readdirSync(FOLDER).toSorted()).toEqual(versions.toSorted());
  const filesOf = (version: string) => readdirSync(join(FOLDER, version)).toSorted();
  const [newest = '', ...former] = versions;
  expect(filesOf(newest).join(' ')).toMatch(/^database\.sqlite known\.json worker\.mjs(\.gz)? wrangler\.toml$/);
  expect(former.map(filesOf)).toEqual(former.map(() => ['database.sqlite', 'known.json']));
});

describe.each(versions)('the fixture of %s', (version) => {
  const known = knownSchema.parse(JSON.parse(readFileSync(join(FOLDER, version, 'known.json'), 'utf8')));
  const rowsOf = (sql: string) => {
    const database = new DatabaseSync(join(FOLDER, version, 'database.sqlite'), { readOnly: true });
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    } finally {
      database.close();
    }
  };

  it('is of that release', () => {
    expect(known.version).toBe(version);
  });

  it('has a database without an error, of one file', () => {
    expect(rowsOf('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(rowsOf('PRAGMA foreign_key_check')).toEqual([]);
    expect(existsSync(join(FOLDER, version, 'database.sqlite-wal'))).toBe(false);
  });

  it('has the users and the links that known.json names', () => {
    const users = known.users.map(({ name, localId }) => ({ name, id: localId }));
    expect(rowsOf('SELECT name, id FROM users')).toEqual(expect.arrayContaining(users));
    const links = known.links.map(({ id, clientId, slug, url }) => ({ id, client_id: clientId, slug, url }));
    expect(links.length).toBeGreaterThan(7);
    expect(rowsOf('SELECT id, client_id, slug, url FROM links')).toEqual(expect.arrayContaining(links));
  });

  it('has counted the clicks that known.json names', () => {
    const followed = known.links.filter(({ clicks }) => clicks.humans > 0);
    expect(followed.length).toBeGreaterThan(7);
    const clicked = followed.map(({ id, clicks }) => ({ name: id, ...clicks }));
    expect(rowsOf(`SELECT name, humans, bots, previews FROM click_days WHERE subject = 'link'`)).toEqual(
      expect.arrayContaining(clicked),
    );
  });
});

it.each([
  [['--port', '0'], '--port takes a number from 1 to 65535: --port 8788'],
  [['--host', 'localhost'], 'The tool takes --project DIR and --port N: "--help" explains them.'],
  [['--project', 'nowhere'], /nowhere is not a project: --project takes a folder with a package\.json\.$/],
])('refuses %j', async (args, sentence) => {
  await expect(releaseFixture(makeFolder(), args)).rejects.toThrow(sentence);
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readChangelog } from '../../scripts/changelog/files.ts';
import { keepsWorker, readKeptWorkers, removeFormerWorkers, WORKER_FILES } from '../../scripts/release-fixture/kept.ts';
import type { Known } from '../../scripts/release-fixture/known.ts';
import { makeFolder } from './support/processes.ts';
import { ROOT } from './support/project.ts';

const FOLDER = join(ROOT, 'test/releases');
const versions = readChangelog(ROOT).releases.map(({ version }) => version);

it('the releases have a fixture each, and the Workers of the newest and of those that kept-workers.json names', () => {
  // Where this fails after a release: npm run release:fixture.
  expect(readdirSync(FOLDER).toSorted()).toEqual([...versions, 'kept-workers.json'].toSorted());
  const kept = new Set([versions[0], ...Object.keys(readKeptWorkers(FOLDER))]);
  expect(versions).toEqual(expect.arrayContaining([...kept]));
  const database = 'database.sqlite known.json';
  const filesOf = (version: string) =>
    readdirSync(join(FOLDER, version))
      .filter((name) => name !== 'statistics')
      .toSorted()
      .join(' ')
      .replace('.gz', '');
  expect(Object.fromEntries(versions.map((version) => [version, filesOf(version)]))).toEqual(
    Object.fromEntries(
      versions.map((version) => [version, kept.has(version) ? `${database} worker.mjs wrangler.toml` : database]),
    ),
  );
});

it('removes the Workers of former releases, except those that kept-workers.json names', () => {
  const folder = makeFolder();
  for (const version of ['0.9.0', '0.10.0', '0.11.0']) {
    mkdirSync(join(folder, version));
    for (const name of ['database.sqlite', ...WORKER_FILES]) writeFileSync(join(folder, version, name), '');
  }
  writeFileSync(join(folder, 'kept-workers.json'), JSON.stringify({ '0.9.0': 'The first one.' }));
  removeFormerWorkers(folder);
  const left = (version: string) => readdirSync(join(folder, version)).length - 1;
  expect(['0.9.0', '0.10.0', '0.11.0'].map(left)).toEqual([WORKER_FILES.length, 0, WORKER_FILES.length]);
  // Whether the fixture of a release that is created again, or is the next one, gets its Worker.
  expect(['0.9.0', '0.10.0', '0.12.0'].map((version) => keepsWorker(folder, version))).toEqual([true, false, true]);
  writeFileSync(join(folder, 'kept-workers.json'), JSON.stringify({ '0.9.0': '' }));
  expect(() => removeFormerWorkers(folder)).toThrow('0.9.0');
});

describe.each(versions)('the fixture of %s', (version) => {
  const known: Known = JSON.parse(readFileSync(join(FOLDER, version, 'known.json'), 'utf8'));
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

  it('the fixture of a release is of that release', () => {
    expect(known.version).toBe(version);
  });

  it('the fixture of a release has a database without an error, of one file', () => {
    expect(rowsOf('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(rowsOf('PRAGMA foreign_key_check')).toEqual([]);
    expect(existsSync(join(FOLDER, version, 'database.sqlite-wal'))).toBe(false);
  });

  it('the fixture of a release has the users and the links that known.json names', () => {
    const users = known.users.map(({ name, localId }) => ({ name, id: localId }));
    expect(rowsOf('SELECT name, id FROM users')).toEqual(expect.arrayContaining(users));
    const links = known.links.map(({ id, clientId, slug, url }) => ({ id, client_id: clientId, slug, url }));
    expect(links.length).toBeGreaterThan(7);
    expect(rowsOf('SELECT id, client_id, slug, url FROM links')).toEqual(expect.arrayContaining(links));
  });

  it('the fixture of a release has counted the clicks that known.json names', () => {
    const followed = known.links.filter(({ clicks }) => clicks.humans > 0);
    expect(followed.length).toBeGreaterThan(7);
    // Later releases keep them in files of the clients, whose numbers only the service reads.
    const statistics = join(FOLDER, version, 'statistics');
    if (existsSync(statistics)) {
      expect(readdirSync(statistics)).toHaveLength(Object.keys(known.clients).length);
      return;
    }
    const clicked = followed.map(({ id, clicks }) => ({ name: id, ...clicks }));
    expect(rowsOf(`SELECT name, humans, bots, previews FROM click_days WHERE subject = 'link'`)).toEqual(
      expect.arrayContaining(clicked),
    );
  });
});

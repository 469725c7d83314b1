import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isObject, objectOf, type JsonObject } from '../../../scripts/changelog/json.ts';
import { changelogSchema, type Changelog } from '../../../src/changelog/entries.ts';
import { runProcess } from '../../scripts/support/processes.ts';
import { copyProject, NODE } from '../../scripts/support/project.ts';
import { callChangelog, callRelease } from '../../scripts/support/tools.ts';

// A project whose last release had an endpoint less than today, and one more if something is to break.
function project({ breaks = false } = {}) {
  const folder = copyProject();
  const read = (name: string): JsonObject => {
    const found: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    if (!isObject(found)) throw new Error(`${name} is no object`);
    return found;
  };
  const write = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  const changelog = (): Changelog => changelogSchema().parse(read('src/changelog/changelog.json'));
  const run = (script: string, ...args: string[]) =>
    runProcess(NODE, [`scripts/${script}.ts`, ...args], { cwd: folder });
  const change = () => callChangelog(folder);
  const release = (...args: string[]) => callRelease(folder, args);
  return {
    read,
    write,
    changelog,
    run,
    change,
    release,
    git: (...args: string[]) => {
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
      execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
    },
    /** Makes today's document the last release's, but for what is to be found. */
    level: async () => {
      await change();
      if (changelog().unreleased.length > 0) await release('90.0.0');
      const last = changelog().releases[0]?.version ?? '';
      const document = read(`src/changelog/${last}.json`);
      const { '/robots.txt': robots, ...paths } = objectOf(document['paths']);
      write(`src/changelog/${last}.json`, { ...document, paths: { ...paths, ...(breaks && { '/gone': robots }) } });
      return last;
    },
  };
}

it('the changelog lists what has changed as unreleased, and is frozen with a version and the date of today', async () => {
  const { level, run, changelog, read } = project();
  const last = await level();
  expect(await run('changelog')).toMatchObject({ code: 0, stdout: 'added GET /robots.txt\nWritten as unreleased.\n' });
  const entry = { kind: 'added', method: 'GET', path: '/robots.txt', breaking: false, changes: [] };
  expect(changelog().unreleased).toEqual([entry]);

  const [major, minor] = last.split('.').map(Number);
  const next = `${major}.${(minor ?? 0) + 1}.0`;
  const released = await run('release');
  expect([released.code, released.stdout]).toEqual([0, expect.stringContaining(`${next} is released.`)]);
  expect(changelog().unreleased).toEqual([]);
  expect(changelog().releases.slice(0, 2)).toEqual([
    { version: next, date: new Date().toISOString().slice(0, 10), entries: [entry] },
    expect.objectContaining({ version: last }),
  ]);
  expect(read('package.json')['version']).toBe(next);
  expect(read('package-lock.json')).toMatchObject({ version: next, packages: { '': { version: next } } });
  expect(read(`src/changelog/${next}.json`)).toMatchObject({ info: { version: next }, paths: { '/robots.txt': {} } });
  expect(await run('changelog')).toMatchObject({ code: 0, stdout: 'Nothing has changed since the last release.\n' });
  expect(await run('release')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is nothing to release'),
  });
});

it('the command release refuses what breaks without a new major version', async () => {
  const { level, change, release, changelog } = project({ breaks: true });
  const [major] = (await level()).split('.').map(Number);
  await change();
  const before = changelog();
  const refused = await release(`${major}.99.0`);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    `${major}.99.0 is not a new major version, but GET /gone breaks: release ${(major ?? 0) + 1}.0.0.\n`,
  ]);
  expect(changelog()).toEqual(before);
  expect(await release()).toMatchObject({ code: 0 });
  expect(changelog().releases[0]?.version).toBe(`${(major ?? 0) + 1}.0.0`);
});

it('the command release refuses while the changelog is behind the document', async () => {
  const { level, release, changelog } = project();
  await level();
  const before = changelog();
  expect(await release()).toMatchObject({ code: 2, stderr: expect.stringContaining('run "npm run changelog"') });
  expect(changelog()).toEqual(before);
});

it('the command release refuses what is not committed', async () => {
  const { level, change, release, git } = project();
  await level();
  await change();
  git('init', '-q');
  const refused = await release();
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('There are uncommitted changes')]);
  git('add', '-A');
  git('commit', '-qm', 'a');
  expect(await release()).toMatchObject({ code: 0 });
});

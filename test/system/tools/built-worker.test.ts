import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reuseOrBuild, SOURCES } from '../../../scripts/built-worker.ts';
import { KEPT } from '../../../scripts/build-cache.ts';
import { makeFolder } from '../../scripts/support/processes.ts';
import { NODE, ROOT } from '../../scripts/support/project.ts';

/** A project with each of the files that a Worker is built from. */
function makeProject(): string {
  const root = makeFolder();
  for (const folder of ['src/api', 'src/changelog', 'scripts', 'public', 'node_modules'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const source of SOURCES.filter((name) => name !== 'src')) writeFileSync(join(root, source), '');
  writeFileSync(join(root, 'src/index.ts'), '1');
  return root;
}

/** Starts the Worker. Returns what ran, and true if it was built for that. */
async function start(
  root: string,
  text = 'the Worker',
  meanwhile = () => {},
): Promise<[text: string, isBuilt: boolean]> {
  const folder = join(makeFolder(), 'worker');
  let isBuilt = false;
  await reuseOrBuild(root, folder, async () => {
    isBuilt = true;
    meanwhile();
    mkdirSync(folder);
    writeFileSync(join(folder, 'worker.js'), text);
  });
  return [readFileSync(join(folder, 'worker.js'), 'utf8'), isBuilt];
}

afterEach(() => void vi.unstubAllEnvs());

describe('a Worker', () => {
  it('a Worker is built once for files that stay as they are', async () => {
    const root = makeProject();
    expect(await start(root)).toEqual(['the Worker', true]);
    expect(await start(root, 'another')).toEqual(['the Worker', false]);
  });

  it.each([...SOURCES.filter((name) => name !== 'src'), 'src/index.ts', 'src/api/new.ts'])(
    'a Worker is built again once %s differs, and not once it is back',
    async (file) => {
      const root = makeProject();
      writeFileSync(join(root, 'src/api/new.ts'), '');
      await start(root, 'before');
      const content = readFileSync(join(root, file), 'utf8');
      writeFileSync(join(root, file), `${content} `);
      expect(await start(root, 'after')).toEqual(['after', true]);
      writeFileSync(join(root, file), content);
      expect(await start(root, 'again')).toEqual(['before', false]);
    },
  );

  it('a Worker is built again for another environment, other settings and other packages', async () => {
    const root = makeProject();
    await start(root);
    vi.stubEnv('CLOUDFLARE_ENV', 'staging');
    expect(await start(root, 'of staging')).toEqual(['of staging', true]);
    vi.unstubAllEnvs();
    expect(await start(root)).toEqual(['the Worker', false]);
    for (const file of ['.env', 'node_modules/.package-lock.json']) {
      writeFileSync(join(root, file), 'new');
      expect(await start(root, file)).toEqual([file, true]);
      expect(await start(root)).toEqual([file, false]);
    }
  });

  it('a Worker is built by each start if one of its files is a link', async () => {
    const root = makeProject();
    symlinkSync(join(root, 'wrangler.toml'), join(root, 'src/linked.ts'));
    for (const _ of [1, 2]) expect(await start(root)).toEqual(['the Worker', true]);
  });

  it('a Worker is not kept if a file was changed while it was built', async () => {
    const root = makeProject();
    const edit = () => writeFileSync(join(root, 'src/index.ts'), '2');
    expect(await start(root, 'of which files?', edit)).toEqual(['of which files?', true]);
    expect(await start(root)).toEqual(['the Worker', true]);
  });

  it('a Worker is built by each start where nothing can be kept', async () => {
    const root = makeProject();
    writeFileSync(join(root, KEPT), 'a file');
    expect(await start(root)).toEqual(['the Worker', true]);
    expect(await start(root)).toEqual(['the Worker', true]);
  });

  it('a Worker is removed a week after its last start', async () => {
    const root = makeProject();
    await start(root);
    const [first = ''] = readdirSync(join(root, KEPT));
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    utimesSync(join(root, KEPT, first), daysAgo(6), daysAgo(6));
    writeFileSync(join(root, 'src/index.ts'), '2');
    await start(root);
    expect(existsSync(join(root, KEPT, first))).toBe(true);
    utimesSync(join(root, KEPT, first), daysAgo(8), daysAgo(8));
    writeFileSync(join(root, 'src/index.ts'), '3');
    await start(root);
    expect(existsSync(join(root, KEPT, first))).toBe(false);
    expect(readdirSync(join(root, KEPT))).toHaveLength(2);
  });

  it('a Worker is built from no other file', () => {
    const folder = makeFolder();
    const args = ['scripts/build-worker.mjs', 'scripts/local-edge.ts', folder, '--meta'];
    execFileSync(NODE, args, { cwd: ROOT, stdio: 'ignore' });
    const { inputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')) as { inputs: object };
    const own = Object.keys(inputs).filter((path) => !/^(?:node_modules\/|builtin:|later:)/.test(path));
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((path) => !SOURCES.some((source) => path === source || path.startsWith(`${source}/`)))).toEqual(
      [],
    );
  });
});

import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KEPT } from '../../../scripts/build-cache.ts';
import { readLocalOptions, SOURCES } from '../../../scripts/local-options.ts';
import { makeFolder } from '../../scripts/support/processes.ts';
import { ROOT } from '../../scripts/support/project.ts';

let root: string;

beforeEach(() => {
  root = makeFolder();
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(join(ROOT, 'node_modules/wrangler'), join(root, 'node_modules/wrangler'));
  mkdirSync(join(root, 'scripts'));
  for (const file of SOURCES) copyFileSync(join(ROOT, file), join(root, file));
});

/** Has wrangler read once what most tests begin with, since it takes a second, and each gets what was kept then. */
async function keepFirst(): Promise<void> {
  if (kept !== undefined) return cpSync(kept, join(root, KEPT), { recursive: true });
  await readLocalOptions(root);
  kept = join(makeFolder(), 'kept');
  cpSync(join(root, KEPT), kept, { recursive: true });
}

let kept: string | undefined;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('the options of a local start are those of wrangler, the first time and from then on', async () => {
  const first = await readLocalOptions(root);
  expect(first).toMatchObject({ name: 'terse', worker: { d1Databases: { DB: { id: 'terse-local' } } } });
  expect(Object.keys(first.worker.durableObjects ?? {})).toEqual(['STATISTICS', 'LIMITS']);
  expect(readdirSync(join(root, KEPT))).toHaveLength(1);
  expect(await readLocalOptions(root)).toEqual(first);
});

it('the options of a local start have the assets of each folder, also where one has kept them for another', async () => {
  const assetsOf = async (folder: string) => (await readLocalOptions(folder)).worker.assets;
  expect(await assetsOf(root)).toMatchObject({ directory: join(root, 'public'), binding: 'ASSETS' });
  const copy = makeFolder();
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  expect(await assetsOf(copy)).toMatchObject({ directory: join(copy, 'public'), binding: 'ASSETS' });
  expect(readdirSync(join(copy, KEPT))).toHaveLength(1);
});

it('the options of a local start follow wrangler.toml', async () => {
  await keepFirst();
  appendFileSync(join(root, 'wrangler.toml'), '\n[[kv_namespaces]]\nbinding = "MORE"\nid = "more"\n');
  expect(Object.keys((await readLocalOptions(root)).worker.kvNamespaces ?? {})).toEqual(['LINKS', 'MORE']);
});

it('the options of a local start are those of the environment that is chosen, each time', async () => {
  await keepFirst();
  vi.stubEnv('CLOUDFLARE_ENV', 'staging');
  vi.spyOn(console, 'warn').mockReturnValue();
  expect((await readLocalOptions(root)).name).toBe('terse-staging');
  vi.unstubAllEnvs();
  expect((await readLocalOptions(root)).name).toBe('terse');
});

it.each(SOURCES)('the options of a local start are read again once %s differs', async (file) => {
  await keepFirst();
  appendFileSync(join(root, file), '\n');
  await readLocalOptions(root);
  expect(readdirSync(join(root, KEPT))).toHaveLength(2);
});

it('the options of a local start contain no secret', async () => {
  writeFileSync(join(root, '.dev.vars'), 'TOKEN_KEYS=secret-of-this-folder\n');
  vi.stubEnv('CLOUDFLARE_INCLUDE_PROCESS_ENV', 'true');
  vi.stubEnv('A_TOKEN', 'secret-of-this-process');
  expect(JSON.stringify(await readLocalOptions(root))).not.toMatch(/secret-of-this/);
});

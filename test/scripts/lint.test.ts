import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import config, { GROUND, ROOMS } from '../../oxlint.config.ts';
import { makeFolder, runProcess, strangersEnv, type Outcome } from './support/processes.ts';
import { NODE, ROOT } from './support/project.ts';

/** Lints files by the project's own rules. */
function lintText(files: Readonly<Record<string, string>>): Promise<Outcome> {
  const folder = makeFolder();
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
  return runProcess(NODE, [oxlint, '--deny-warnings', '--format=json'], { cwd: folder, env: strangersEnv() });
}

/** Lints files that import these modules and do nothing else. */
function lint(imports: Readonly<Record<string, readonly string[]>>): Promise<Outcome> {
  const files = Object.entries(imports).map(([file, modules]) => {
    const lines = modules.map((module, index) => `export { thing as thing${index} } from '${module}';\n`);
    return [file, lines.join('')];
  });
  return lintText(Object.fromEntries(files));
}

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string; readonly help: string }[];
}

/** What the linter says about files that import these modules, by file: the rule and the words of each refusal. */
async function refusals(imports: Readonly<Record<string, readonly string[]>>): Promise<Record<string, string[]>> {
  const { stdout } = await lint(imports);
  const { diagnostics }: Report = JSON.parse(stdout);
  const words: Record<string, string[]> = {};
  for (const { filename, code, help } of diagnostics) (words[filename] ??= []).push(`${code}: ${help}`);
  return words;
}

const RULE = 'eslint(no-restricted-imports)';
const SURFACES = ['api', 'mcp', 'redirect', 'platform', 'reference', 'operator'];
const DOMAINS = [
  'workspaces',
  'webhooks',
  'domains',
  'links',
  'targets',
  'clicks',
  'statistics',
  'link-limit',
  'accounts',
  'tokens',
  'events',
];

describe('the ways imports may not go', () => {
  it.each(SURFACES)('src/%s imports no other surface', async (surface) => {
    const others = SURFACES.filter((other) => other !== surface);
    const file = `src/${surface}/x.ts`;
    const words = await refusals({ [file]: others.map((other) => `../${other}/${other}.ts`) });
    expect(words[file]).toEqual(others.map(() => `${RULE}: Surfaces are imported by app.ts alone.`));
  });

  it.each(DOMAINS)('src/%s imports no surface, no request, no setting and no transport', async (room) => {
    const file = `src/${room}/x.ts`;
    expect((await refusals({ [file]: SURFACES.map((surface) => `../${surface}/x.ts`) }))[file]).toEqual(
      SURFACES.map(() => `${RULE}: Surfaces are imported by app.ts alone.`),
    );
    expect((await refusals({ [file]: ['../http/form.ts', '../config.ts'] }))[file]).toEqual(
      Array.from({ length: 2 }, () => `${RULE}: Domain rooms take values, not requests or settings.`),
    );
    expect((await refusals({ [file]: ['hono', 'hono/html'] }))[file]).toEqual(
      Array.from({ length: 2 }, () => `${RULE}: Domain rooms know no transport.`),
    );
  });

  it.each(['http', ...SURFACES, ...DOMAINS])('src/%s imports neither app nor index', async (room) => {
    const file = `src/${room}/x.ts`;
    const words = await refusals({ [file]: ['../app.ts', '../app-stores.ts', '../index.ts'] });
    expect(words[file]).toHaveLength(3);
    for (const word of words[file] ?? []) expect(word).toMatch(/^eslint\(no-restricted-imports\): Imports go one way/);
  });

  it.each(['api', 'mcp', 'platform'])('src/%s imports no cache, no policy, no hash and no SQL', async (surface) => {
    const file = `src/${surface}/links/x.ts`;
    const modules = [
      '../../links/redirect/cache.ts',
      '../../targets/policy.ts',
      '../../http/target-policy.ts',
      '../../links/lock/protect.ts',
      '../../content-hash.ts',
      '../../links/domain-links-sql.ts',
    ];
    expect((await refusals({ [file]: [...modules, '../../links/create/create.ts'] }))[file]).toEqual(
      modules.map(
        () => `${RULE}: A surface parses, calls one verb and presents: verbs know stores, caches, policies and hashes.`,
      ),
    );
  });

  it('src/http imports no surface', async () => {
    const words = await refusals({ 'src/http/x.ts': SURFACES.map((surface) => `../${surface}/x.ts`) });
    expect(words['src/http/x.ts']).toEqual(SURFACES.map(() => `${RULE}: Surfaces are imported by app.ts alone.`));
  });

  it.each(['app.ts', 'http/x.ts', ...[...SURFACES, ...DOMAINS.slice(0, -1)].map((room) => `${room}/x.ts`)])(
    'src/%s imports no store of another room',
    async (name) => {
      const [own = ''] = name.split('/');
      // Rooms above are refused as such, whatever is imported of them.
      const others = DOMAINS.slice(DOMAINS.indexOf(own) + 1);
      const up = name.includes('/') ? '../' : './';
      const stores = others.flatMap((room) => [
        `${up}${room}/store.ts`,
        `${up}${room}/token-store.ts`,
        `${up}${room}/edit/store.ts`,
      ]);
      const words = await refusals({ [`src/${name}`]: stores });
      expect(words[`src/${name}`]).toEqual(stores.map(() => `${RULE}: A room's store is its own; use its verbs.`));
    },
  );

  it.each(['index.ts', 'app.ts', 'config.ts', 'errors.ts', ...['http', ...SURFACES].map((room) => `${room}/x.ts`)])(
    'src/%s does not know jose',
    async (name) => {
      const words = await refusals({ [`src/${name}`]: ['jose', 'jose/jwt/verify'] });
      expect(words[`src/${name}`]).toEqual([1, 2].map(() => `${RULE}: Only src/tokens knows jose.`));
    },
  );

  it.each(DOMAINS.filter((room) => room !== 'tokens'))('src/%s does not know jose', async (room) => {
    const words = await refusals({ [`src/${room}/x.ts`]: ['jose'] });
    expect(words[`src/${room}/x.ts`]).toEqual([`${RULE}: Only src/tokens knows jose.`]);
  });

  it.each<readonly [name: string, up: string]>([
    ['errors.ts', './'],
    ['validation.ts', './'],
    ...GROUND.map((folder) => [`${folder}/x.ts`, '../'] as const),
  ])('src/%s imports no room', async (name, up) => {
    const rooms = ['http', ...SURFACES, ...DOMAINS];
    const words = await refusals({ [`src/${name}`]: rooms.map((room) => `${up}${room}/x.ts`) });
    expect(words[`src/${name}`]).toEqual(rooms.map(() => `${RULE}: The ground floor imports no room.`));
  });

  it('src/config.ts imports no room but tokens', async () => {
    const rooms = ['http', ...SURFACES, ...DOMAINS.filter((room) => room !== 'tokens')];
    const words = await refusals({ 'src/config.ts': rooms.map((room) => `./${room}/x.ts`) });
    expect(words['src/config.ts']).toHaveLength(rooms.length);
  });

  it.each(DOMAINS.slice(1))('src/%s imports no domain room above it, at any depth', async (room) => {
    const above = DOMAINS.slice(0, DOMAINS.indexOf(room));
    const words = await refusals({
      [`src/${room}/x.ts`]: above.map((other) => `../${other}/verb.ts`),
      [`src/${room}/folder/x.ts`]: above.map((other) => `../../${other}/verb.ts`),
      [`src/${room}/folder/within/x.ts`]: above.map((other) => `../../../${other}/verb.ts`),
    });
    const refusal = `${RULE}: Domain rooms import one way: ${DOMAINS.join(', ')}.`;
    expect(words[`src/${room}/x.ts`]).toEqual(above.map(() => refusal));
    expect(words[`src/${room}/folder/x.ts`]).toEqual(above.map(() => refusal));
    expect(words[`src/${room}/folder/within/x.ts`]).toEqual(above.map(() => refusal));
  });

  it('src/time imports nothing of ours', async () => {
    const words = await refusals({ 'src/time/x.ts': ['../errors.ts', '../links/link.ts', './day.ts', 'zod'] });
    expect(words['src/time/x.ts']).toEqual([1, 2].map(() => `${RULE}: Time imports nothing of ours.`));
  });

  it('no two files import each other', async () => {
    const words = await refusals({ 'src/links/one.ts': ['./two.ts'], 'src/links/two.ts': ['./one.ts'] });
    expect(Object.values(words).flat().join('\n')).toMatch(/^import\(no-cycle\): /);
  });

  it.each([
    ['a type', `import type { Form } from '../http/form.ts';\nexport type Copy = Form;\n`],
    ['at run time', `export const form = async () => import('../http/form.ts');\n`],
    ['for its effects', `import '../http/form.ts';\n`],
    ['all of it', `export * from '../http/form.ts';\n`],
  ])('nor is there a way around by importing %s', async (_, text) => {
    const { code, stdout } = await lintText({ 'src/links/x.ts': text });
    expect(code).toBe(1);
    expect(stdout).toContain('Domain rooms take values, not requests or settings.');
  });
});

it('knows every folder of src as a room or a part of the ground floor', () => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).toSorted()).toEqual([...ROOMS, ...GROUND, 'time'].toSorted());
});

describe('the ways imports may go', () => {
  it('are not refused', async () => {
    const domains = DOMAINS.map((room) => `../${room}/verb.ts`);
    const fromDomain = ['../errors.ts', '../database/database.ts', '../validation.ts', 'zod', 'node:crypto'];
    const outcome = await lint({
      'src/index.ts': ['./app.ts', './config.ts'],
      'src/app.ts': ['./config.ts', ...['http', ...SURFACES, ...DOMAINS].map((room) => `./${room}/verb.ts`), 'hono'],
      'src/config.ts': ['./tokens/keys.ts', 'zod'],
      'src/validation.ts': ['./errors.ts'],
      'src/http/x.ts': ['../config.ts', '../errors.ts', ...domains, 'hono'],
      ...Object.fromEntries(
        SURFACES.map((room) => [`src/${room}/x.ts`, ['../http/form.ts', '../errors.ts', ...domains, 'hono', './y.ts']]),
      ),
      ...Object.fromEntries(
        DOMAINS.map((room) => [
          `src/${room}/x.ts`,
          [
            ...fromDomain,
            './store.ts',
            ...DOMAINS.slice(DOMAINS.indexOf(room) + 1).map((below) => `../${below}/verb.ts`),
          ],
        ]),
      ),
      'src/links/redirect/x.ts': ['../edit/edit.ts', '../store.ts', '../edit/edit-store.ts', '../../targets/policy.ts'],
      'src/tokens/y.ts': ['jose'],
      'scripts/x.ts': ['../src/accounts/operator.ts', '../src/config.ts', 'wrangler', 'node:fs'],
    });
    expect(JSON.parse(outcome.stdout).diagnostics).toEqual([]);
    expect(JSON.parse(outcome.stdout).number_of_files).toBe(25);
    expect(outcome.code).toBe(0);
  });
});

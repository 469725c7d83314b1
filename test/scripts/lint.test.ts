import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import config, { GROUND, ROOMS } from '../../oxlint.config.ts';
import { makeFolder, runProcess, strangersEnv } from './support/processes.ts';
import { NODE, ROOT } from './support/project.ts';

type Files = Readonly<Record<string, string>>;
type Imports = Readonly<Record<string, readonly string[]>>;

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string; readonly help: string }[];
  readonly number_of_files: number;
}

const cases: Files[] = [];
let linted: Promise<Report> | undefined;

/**
 * Adds files that the project's own rules are asked about. Most of a run of the linter is its start, so that the first
 * test that wants to know has it read the files of all tests, those of each in a folder of its own.
 *
 * @returns what it says about these files, by file: the rule and the words of each refusal
 */
function lintText(files: Files): () => Promise<Record<string, string[]>> {
  const folder = `case-${cases.push(files)}/`;
  return async () => {
    const { diagnostics } = await (linted ??= lintAll());
    const words: Record<string, string[]> = {};
    for (const { filename, code, help } of diagnostics) {
      if (filename.startsWith(folder)) (words[filename.slice(folder.length)] ??= []).push(`${code}: ${help}`);
    }
    return words;
  };
}

async function lintAll(): Promise<Report> {
  const root = makeFolder();
  const overrides = config.overrides?.map((rules) => ({ ...rules, files: rules.files.map((glob) => `*/${glob}`) }));
  writeFileSync(join(root, '.oxlintrc.json'), JSON.stringify({ ...config, overrides }));
  for (const [index, files] of cases.entries()) {
    const folder = join(root, `case-${index + 1}`);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  }
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
  const args = [oxlint, '--deny-warnings', '--format=json'];
  const { stdout, code } = await runProcess(NODE, args, { cwd: root, env: strangersEnv() });
  expect(code).toBe(1);
  const report: Report = JSON.parse(stdout);
  expect(report.number_of_files).toBe(cases.flatMap((files) => Object.keys(files)).length);
  return report;
}

/** Adds files that import these modules and do nothing else. */
function lint(imports: Imports): () => Promise<Record<string, string[]>> {
  const files = Object.entries(imports).map(([file, modules]) => {
    const lines = modules.map((module, index) => `export { thing as thing${index} } from '${module}';\n`);
    return [file, lines.join('')];
  });
  return lintText(Object.fromEntries(files));
}

const RULE = 'eslint(no-restricted-imports)';
const SURFACES = ['api', 'mcp', 'redirect', 'platform', 'oauth', 'reference', 'operator'];
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
  'mail',
];

/** Adds a test that each of these imports is refused, in these words. */
function refuses(name: string, imports: Imports, words: string | RegExp): void {
  const refusals = lint(imports);
  it(name, async () => {
    const said = Object.entries(imports).map(([file, modules]) => [file, modules.map(() => refusalOf(words))]);
    expect(await refusals()).toEqual(Object.fromEntries(said));
  });
}

const refusalOf = (words: string | RegExp) =>
  typeof words === 'string' ? `${RULE}: ${words}` : expect.stringMatching(words);

const withoutItself = (rooms: readonly string[], own: string) => rooms.filter((room) => room !== own);

const NO_SURFACE = 'Surfaces are imported by src/app alone.';
const ONE_WAY = /^eslint\(no-restricted-imports\): Imports go one way/;

describe('imports that are refused', () => {
  for (const surface of SURFACES) {
    const others = withoutItself(SURFACES, surface).map((other) => `../${other}/${other}.ts`);
    refuses(`src/${surface} imports no other surface`, { [`src/${surface}/x.ts`]: others }, NO_SURFACE);
  }

  for (const room of ['http', ...DOMAINS]) {
    const surfaces = SURFACES.map((surface) => `../${surface}/x.ts`);
    refuses(`src/${room} imports no surface`, { [`src/${room}/x.ts`]: surfaces }, NO_SURFACE);
  }

  for (const room of DOMAINS) {
    const file = `src/${room}/x.ts`;
    const values = 'Domain rooms take values, not requests or settings.';
    refuses(
      `src/${room} imports no request and no setting`,
      { [file]: ['../http/form.ts', '../config/config.ts'] },
      values,
    );
    refuses(`src/${room} imports no transport`, { [file]: ['hono', 'hono/html'] }, 'Domain rooms know no transport.');
  }

  for (const room of ['http', ...SURFACES, ...DOMAINS]) {
    const above = ['../app/app.ts', '../app/stores.ts', '../index.ts'];
    refuses(`src/${room} imports neither app nor index`, { [`src/${room}/x.ts`]: above }, ONE_WAY);
  }

  for (const surface of ['api', 'mcp', 'platform', 'oauth']) {
    const modules = [
      '../../links/redirect/cache.ts',
      '../../targets/policy.ts',
      '../../http/target-policy.ts',
      '../../links/password/hash-password.ts',
      '../../secrets/content-hash.ts',
      '../../links/domain-links-sql.ts',
    ];
    const file = `src/${surface}/links/x.ts`;
    const refusals = lint({ [file]: [...modules, '../../links/create/create.ts'] });
    it(`src/${surface} imports no cache, no policy, no hash and no SQL`, async () => {
      const words = 'A surface parses, calls one verb and presents: verbs know stores, caches, policies and hashes.';
      expect((await refusals())[file]).toEqual(modules.map(() => `${RULE}: ${words}`));
    });
  }

  for (const name of [
    'index.ts',
    'app/x.ts',
    'http/x.ts',
    ...[...SURFACES, ...DOMAINS.slice(0, -1)].map((room) => `${room}/x.ts`),
  ]) {
    const [own = ''] = name.split('/');
    // Rooms above are refused as such, whatever is imported of them.
    const others = DOMAINS.slice(DOMAINS.indexOf(own) + 1);
    const up = name.includes('/') ? '../' : './';
    const stores = others.flatMap((room) => [
      `${up}${room}/store.ts`,
      `${up}${room}/token-store.ts`,
      `${up}${room}/edit/store.ts`,
    ]);
    const words = "A room's store is its own; use its verbs.";
    refuses(`src/${name} imports no store of another room`, { [`src/${name}`]: stores }, words);
  }

  const ofNode = [
    'node:fs',
    'node:child_process',
    'node:zone',
    'wrangler',
    'miniflare',
    'vitest',
    '../../scripts/ports.ts',
  ];
  for (const name of [
    'app/x.ts',
    'errors.ts',
    ...['http', ...SURFACES, ...DOMAINS, ...GROUND].map((room) => `${room}/x.ts`),
  ])
    refuses(
      `src/${name} imports nothing that runs on Node`,
      { [`src/${name}`]: [...ofNode, '../../test/support/app.ts', '../../bench/size.ts', '../../cli/src/main.ts'] },
      'The Worker imports nothing that runs on Node, except node:crypto, node:url and node:zlib.',
    );

  const aboveTokens = ['http', ...SURFACES, ...withoutItself(DOMAINS, 'tokens')];
  for (const name of [
    'index.ts',
    'app/x.ts',
    'config/x.ts',
    'errors.ts',
    ...aboveTokens.map((room) => `${room}/x.ts`),
  ]) {
    const imports = { [`src/${name}`]: ['jose', 'jose/jwt/verify'] };
    refuses(`src/${name} does not know jose`, imports, 'Only src/tokens knows jose.');
  }

  for (const [name, up] of [
    ['errors.ts', './'],
    ...GROUND.map((folder) => [`${folder}/x.ts`, '../'] as const),
  ] as const) {
    const rooms = ['http', ...SURFACES, ...DOMAINS].map((room) => `${up}${room}/x.ts`);
    refuses(`src/${name} imports no room`, { [`src/${name}`]: rooms }, 'The ground floor imports no room.');
  }

  for (const room of DOMAINS.slice(1)) {
    const above = DOMAINS.slice(0, DOMAINS.indexOf(room));
    const imports = {
      [`src/${room}/x.ts`]: above.map((other) => `../${other}/verb.ts`),
      [`src/${room}/folder/x.ts`]: above.map((other) => `../../${other}/verb.ts`),
      [`src/${room}/folder/within/x.ts`]: above.map((other) => `../../../${other}/verb.ts`),
    };
    const words = `Domain rooms import one way: ${DOMAINS.join(', ')}.`;
    refuses(`src/${room} imports no domain room above it, at any depth`, imports, words);
  }

  const ofTime = lint({ 'src/time/x.ts': ['../errors.ts', '../links/link.ts', './day.ts', 'zod'] });
  it('src/time imports nothing of ours', async () => {
    expect(await ofTime()).toEqual({ 'src/time/x.ts': [1, 2].map(() => `${RULE}: Time imports nothing of ours.`) });
  });

  const ofCircle = lint({ 'src/links/one.ts': ['./two.ts'], 'src/links/two.ts': ['./one.ts'] });
  it('no two files import each other', async () => {
    const words = await ofCircle();
    expect(Object.values(words).flat().join('\n')).toMatch(/^import\(no-cycle\): /);
  });

  for (const [way, text] of [
    ['a type', `import type { Form } from '../http/form.ts';\nexport type Copy = Form;\n`],
    ['at run time', `export const form = async () => import('../http/form.ts');\n`],
    ['for its effects', `import '../http/form.ts';\n`],
    ['all of it', `export * from '../http/form.ts';\n`],
  ] as const) {
    const refusals = lintText({ 'src/links/x.ts': text });
    it(`imports may not go around a rule by ${way}`, async () => {
      const words = (await refusals())['src/links/x.ts'];
      expect(words).toContain(`${RULE}: Domain rooms take values, not requests or settings.`);
    });
  }
});

it('knows every folder of src as a room or a part of the ground floor', () => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).toSorted()).toEqual([...ROOMS, ...GROUND, 'app', 'time'].toSorted());
});

describe('imports that are allowed', () => {
  const domains = DOMAINS.map((room) => `../${room}/verb.ts`);
  const fromDomain = ['../errors.ts', '../database/database.ts', '../input/validation.ts', 'zod', 'node:crypto'];
  const refusals = lint({
    'src/index.ts': ['./app/app.ts', './config/config.ts'],
    'src/app/app.ts': [
      '../config/config.ts',
      ...['http', ...SURFACES, ...DOMAINS].map((room) => `../${room}/verb.ts`),
      'hono',
    ],
    'src/config/config.ts': ['../secrets/jwks.ts', 'zod'],
    'src/input/validation.ts': ['../errors.ts'],
    'src/http/x.ts': ['../config/config.ts', '../errors.ts', ...domains, 'hono'],
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
    'scripts/x.ts': ['../src/accounts/operator.ts', '../src/config/config.ts', 'wrangler', 'node:fs'],
  });
  it('imports that go down are not refused', async () => expect(await refusals()).toEqual({}));
});

import { defineConfig, type OxlintOverride } from 'oxlint';

/** The rooms of `src/` from top to bottom. A file imports rooms below its own, and no surface imports another one. */
const SURFACES = ['api', 'mcp', 'redirect', 'platform', 'reference', 'operator'];
const DOMAIN_ROOMS = [
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
/** The surfaces that answer callers: they parse, call one verb and present. */
const CALLED_SURFACES = new Set(['api', 'mcp', 'platform']);
export const ROOMS = [...SURFACES, 'http', ...DOMAIN_ROOMS];
/** The folders of the ground floor. Time, which imports nothing of ours, is one more. */
export const GROUND = ['database', 'objects', 'text'];

// How deep the files of a room stand: src/links/routes/conditions/ is the third level.
const DEEPEST = 3;

interface Pattern {
  readonly regex: string;
  readonly message: string;
}

const NO_NODE: Pattern = {
  regex: String.raw`^(node:(?!(crypto|zlib)$)|wrangler|miniflare|vitest|(\.\./)+(scripts|test|bench)/)`,
  message: 'The Worker imports nothing that runs on Node, except node:crypto and node:zlib.',
};
const NO_JOSE: Pattern = { regex: '^jose', message: 'Only src/tokens knows jose.' };

/** @param up the specifier of `src/` as the file would write it, such as `\.\./` */
function patternsOf(room: string, up: string): Pattern[] {
  const others = ROOMS.filter((other) => other !== room);
  const isDomainRoom = DOMAIN_ROOMS.includes(room);
  const above = DOMAIN_ROOMS.slice(0, Math.max(0, DOMAIN_ROOMS.indexOf(room)));
  const withStores = others.filter((other) => !above.includes(other));
  return [
    {
      regex: String.raw`^${up}(app(-\w+)?|index)(\.ts)?$`,
      message: 'Imports go one way: index, app, surfaces, http, domains, ground.',
    },
    {
      regex: `^${up}(${others.filter((other) => SURFACES.includes(other)).join('|')})(/|$)`,
      message: 'Surfaces are imported by app.ts alone.',
    },
    {
      regex: String.raw`^${up}(${withStores.join('|')})/(.*[-/])?store(\.ts)?$`,
      message: "A room's store is its own; use its verbs.",
    },
    ...(CALLED_SURFACES.has(room)
      ? [
          {
            regex: String.raw`^(\.\./)+(.*/)?(cache|policy|target-policy|protect|content-hash|admit|[\w-]+-sql)(\.ts)?$`,
            message: 'A surface parses, calls one verb and presents: verbs know stores, caches, policies and hashes.',
          },
        ]
      : []),
    ...(above.length > 0
      ? [
          {
            regex: String.raw`^${up}(${above.join('|')})(/|$)`,
            message: `Domain rooms import one way: ${DOMAIN_ROOMS.join(', ')}.`,
          },
        ]
      : []),
    ...(isDomainRoom
      ? [
          {
            regex: String.raw`^${up}(http(/|$)|config(\.ts)?$)`,
            message: 'Domain rooms take values, not requests or settings.',
          },
          { regex: '^hono', message: 'Domain rooms know no transport.' },
        ]
      : []),
    NO_NODE,
    ...(room === 'tokens' ? [] : [NO_JOSE]),
  ];
}

const restrict = (files: string[], patterns: Pattern[]): OxlintOverride => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

const ofRooms = ROOMS.flatMap((room) =>
  Array.from({ length: DEEPEST }, (_, index) => {
    const folders = '*/'.repeat(index);
    return restrict([`src/${room}/${folders}*`], patternsOf(room, String.raw`(\.\./){${index + 1}}`));
  }),
);

const HERE = String.raw`\./`;

const ofGround = [
  restrict(
    ['src/*.ts'],
    [
      { regex: `^${HERE}(${ROOMS.join('|')})(/|$)`, message: 'The ground floor imports no room.' },
      {
        regex: String.raw`^${HERE}(app|index)(\.ts)?$`,
        message: 'Imports go one way: index, app, surfaces, http, domains, ground.',
      },
      NO_NODE,
      NO_JOSE,
    ],
  ),
  restrict(
    GROUND.map((folder) => `src/${folder}/*.ts`),
    [
      { regex: String.raw`^\.\./(${ROOMS.join('|')})(/|$)`, message: 'The ground floor imports no room.' },
      {
        regex: String.raw`^\.\./(app|index)(\.ts)?$`,
        message: 'Imports go one way: index, app, surfaces, http, domains, ground.',
      },
      NO_NODE,
      NO_JOSE,
    ],
  ),
  restrict(
    ['src/time/*.ts'],
    [{ regex: String.raw`^\.\./`, message: 'Time imports nothing of ours.' }, NO_NODE, NO_JOSE],
  ),
  restrict(
    ['src/config.ts'],
    [
      {
        regex: `^${HERE}(${ROOMS.filter((room) => room !== 'tokens').join('|')})(/|$)`,
        message: 'config.ts needs the parser of its keys and nothing else.',
      },
      {
        regex: String.raw`^${HERE}(app|index)(\.ts)?$`,
        message: 'Imports go one way: index, app, surfaces, http, domains, ground.',
      },
      NO_NODE,
      NO_JOSE,
    ],
  ),
  restrict(
    ['src/app.ts', 'src/app-clicks.ts', 'src/app-crons.ts', 'src/app-queues.ts', 'src/app-stores.ts', 'src/index.ts'],
    [
      { regex: String.raw`/(.*-)?store(\.ts)?$`, message: "A room's store is its own; use its verbs." },
      NO_NODE,
      NO_JOSE,
    ],
  ),
];

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { es2024: true },
  ignorePatterns: [
    'worker-configuration.d.ts',
    'client/terse.d.ts',
    'test/scripts/clients/journeys/**',
    'test/releases/**',
  ],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'typescript/ban-ts-comment': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'eslint/eqeqeq': ['error', 'always', { null: 'ignore' }],
    'eslint/no-var': 'error',
    'eslint/prefer-const': 'error',
    'eslint/no-await-in-loop': 'off',
    'eslint/no-shadow': 'off',
    'import/no-unassigned-import': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'unicorn/no-array-sort': 'off',
    'oxc/no-map-spread': 'off',
  },
  overrides: [...ofGround, ...ofRooms, { files: ['test/**'], rules: { 'unicorn/consistent-function-scoping': 'off' } }],
});

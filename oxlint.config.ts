import { defineConfig, type OxlintOverride } from 'oxlint';

/** The rooms of `src/` from top to bottom. A file imports rooms below its own, and no surface imports another one. */
const SURFACES = ['api', 'mcp', 'redirect', 'platform', 'oauth', 'reference', 'operator'];
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
  'mail',
];
/** The surfaces that answer callers: they parse, call one verb and present. */
const CALLED_SURFACES = new Set(['api', 'mcp', 'platform', 'oauth']);
export const ROOMS = [...SURFACES, 'design', 'http', ...DOMAIN_ROOMS];
/** The ground floor: what every room may use. Time, which imports nothing of ours, is one more. */
export const GROUND = [
  'bounds',
  'changelog',
  'config',
  'database',
  'input',
  'isolate',
  'languages',
  'network',
  'objects',
  'secrets',
  'text',
];

// How deep the files of a room stand: src/links/routes/conditions/ is the third level.
const DEEPEST = 3;

interface Pattern {
  readonly regex: string;
  readonly message: string;
}

// The linter's regular expressions have no lookahead: `node:` is followed by neither `cry`, `url` nor `zl`.
const NO_NODE: Pattern = {
  regex: String.raw`^(node:(c[^r]|cr[^y]|u[^r]|z[^l]|[^cuz])|wrangler|miniflare|vitest|(\.\./)+(scripts|test|bench|cli)/)`,
  message: 'The Worker imports nothing that runs on Node, except node:crypto, node:url and node:zlib.',
};
const ONE_WAY = 'Imports go one way: index, app, surfaces, design, http, domains, ground.';
const NO_JOSE: Pattern = { regex: '^jose', message: 'Only src/tokens knows jose.' };

/** @param up the specifier of `src/` as the file would write it, such as `\.\./` */
function patternsOf(room: string, up: string): Pattern[] {
  const others = ROOMS.filter((other) => other !== room);
  const isDomainRoom = DOMAIN_ROOMS.includes(room);
  const above = DOMAIN_ROOMS.slice(0, Math.max(0, DOMAIN_ROOMS.indexOf(room)));
  const withStores = others.filter((other) => !above.includes(other));
  return [
    {
      regex: String.raw`^${up}(app/|index(\.ts)?$)`,
      message: ONE_WAY,
    },
    {
      regex: `^${up}(${others.filter((other) => SURFACES.includes(other)).join('|')})(/|$)`,
      message: 'Surfaces are imported by src/app alone.',
    },
    {
      regex: String.raw`^${up}(${withStores.join('|')})/(.*[-/])?store(\.ts)?$`,
      message: "A room's store is its own; use its verbs.",
    },
    ...(CALLED_SURFACES.has(room)
      ? [
          {
            regex: String.raw`^(\.\./)+(.*/)?(cache|policy|target-policy|hash-password|content-hash|admit|[\w-]+-sql)(\.ts)?$`,
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
            regex: `^${up}(http|config)(/|$)`,
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

/** @param up the specifier of `src/` as the file would write it */
const groundPatterns = (up: string): Pattern[] => [
  { regex: `^${up}(${ROOMS.join('|')})(/|$)`, message: 'The ground floor imports no room.' },
  { regex: String.raw`^${up}(app/|index(\.ts)?$)`, message: ONE_WAY },
  NO_NODE,
  NO_JOSE,
];

const ofGround = [
  restrict(['src/errors.ts'], groundPatterns(String.raw`\./`)),
  restrict(
    GROUND.map((folder) => `src/${folder}/*.ts`),
    groundPatterns(String.raw`\.\./`),
  ),
  restrict(
    ['src/time/*.ts'],
    [{ regex: String.raw`^\.\./`, message: 'Time imports nothing of ours.' }, NO_NODE, NO_JOSE],
  ),
  restrict(
    ['src/app/*.ts', 'src/index.ts'],
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
    'cli/client/terse.d.ts',
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

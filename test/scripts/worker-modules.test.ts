import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { makeFolder } from './support/processes.ts';
import { NODE, ROOT } from './support/project.ts';

/** A module that esbuild has written (https://esbuild.github.io/api/#metafile). */
interface Module {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
}

const KIB = 1024;
const ENTRY = 'src/index.ts';

/** What the entry may load of packages, since a redirect needs it. */
const PACKAGES = ['hono', 'nanoid'];
/** What the entry must not load: the rooms of surfaces and of what runs in the background. */
const LATER =
  /^src\/(?:api|mcp|platform|oauth|operator|reference|changelog|workspaces|statistics\/(?:append|days|live|backup))\//;

/**
 * The modules that an upload has at most, and the bytes of all of them: 441 KiB as one module, what was added since, 32 that
 * verify passkeys, most of which read the signatures of ES256 in ASN.1, 12 of OAuth, codes and application passwords, 9 of
 * what a provider demands and suspends, with Cloudflare Access, and 18 of the sign-in at providers.
 */
const MOST = { modules: 90, gzippedKib: 569 };

const folder = makeFolder();
let outputs: Readonly<Record<string, Module>> = {};

beforeAll(() => {
  execFileSync(NODE, ['scripts/build-worker.mjs', ENTRY, folder, '--meta'], { cwd: ROOT, stdio: 'ignore' });
  ({ outputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')));
});

/** The modules that are loaded with the one of an entry point, or of what is imported later; it is among them. */
function loadedWith(entryPoint: string): Set<string> {
  const names: ReadonlySet<string | undefined> = new Set([entryPoint, `later:${entryPoint}`]);
  const start = Object.keys(outputs).find((path) => names.has(outputs[path]?.entryPoint)) ?? '';
  const loaded = new Set<string>();
  const load = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const each of outputs[path]?.imports ?? [])
      if (each.kind === 'import-statement' && !each.external) load(each.path);
  };
  load(start);
  return loaded;
}

const gzippedKib = (paths: Iterable<string>): number =>
  Array.from(paths, (path) => gzipSync(readFileSync(join(ROOT, path)), { level: 9 }).length).reduce(
    (sum, bytes) => sum + bytes / KIB,
    0,
  );

/** The source files in some modules, as far as something is left of them. */
const sourcesOf = (paths: Iterable<string>): string[] =>
  Array.from(paths).flatMap((path) =>
    Object.entries(outputs[path]?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : [],
    ),
  );

const packageOf = (file: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];

it('the entry loads at most 60 KiB, gzipped, and of packages only what a redirect needs', () => {
  const entry = loadedWith(ENTRY);
  const files = sourcesOf(entry);
  expect([...new Set(files.flatMap((file) => packageOf(file) ?? []))].toSorted()).toEqual(PACKAGES);
  expect(files.filter((file) => LATER.test(file))).toEqual([]);
  expect(gzippedKib(entry)).toBeLessThan(60);
});

it('the first redirect and its click load at most 90 KiB, gzipped, and no schema', () => {
  const loaded = new Set([...loadedWith(ENTRY), ...loadedWith('src/app/click-sender.ts')]);
  expect(sourcesOf(loaded).filter((file) => packageOf(file) === 'zod')).toEqual([]);
  expect(gzippedKib(loaded)).toBeLessThan(90);
});

/** The parts of OAuth that only its own requests need, and not the clean-up or what verifies a token. */
const OF_OAUTH = /^src\/(?:oauth\/|platform\/oauth\/|accounts\/oauth\/(?!grant-use|resources|registration-store))/;

/** The packages of what has the schemas of links, in whose rules are networks. */
const WITH_SCHEMAS = ['hono', 'ipaddr.js', 'zod'];
/** And what writes the texts of pages. */
const OF_PAGES = ['hono', 'icu-minify', 'ipaddr.js', 'zod'];

/** What the first request of an isolate loads besides the entry: at most so many KiB, gzipped, and of these packages. */
const FIRST_REQUESTS = [
  ['GET /health', 24, ['hono'], ['src/app/api.ts', 'src/api/health.ts']],
  ['POST /v1/links', 105, WITH_SCHEMAS, ['src/app/api.ts', 'src/api/links.ts']],
  ['the form to sign in', 60, ['hono', 'icu-minify'], ['src/app/platform.ts', 'src/platform/sign-in/sign-in.tsx']],
  ['the overview', 142, OF_PAGES, signedIn('src/platform/clicks/overview.tsx')],
  ['the list of links', 158, OF_PAGES, signedIn('src/platform/links/list/list.tsx')],
  ['the page of a link', 156, OF_PAGES, signedIn('src/platform/links/page/link.tsx')],
] as const;

function signedIn(page: string): string[] {
  return ['src/app/platform.ts', 'src/accounts/sessions/session.ts', page];
}

it.each(FIRST_REQUESTS)(
  'a first request loads little besides what it needs: %s',
  (_name, most, packages, entryPoints) => {
    const entry = loadedWith(ENTRY);
    const loaded = entryPoints.flatMap((entryPoint) => [...loadedWith(entryPoint)]).filter((path) => !entry.has(path));
    const used = sourcesOf(loaded).flatMap((file) => packageOf(file) ?? []);
    // The few bytes that write texts may be in a module with what the API needs.
    const allowed = new Set<string>([...packages, 'icu-minify']);
    expect([...new Set(used)].filter((name) => !allowed.has(name))).toEqual([]);
    expect(gzippedKib(new Set(loaded))).toBeLessThan(most);
    expect(sourcesOf(loaded).filter((file) => OF_OAUTH.test(file))).toEqual([]);
  },
);

it('the modules ask for no process, whose first use creates its streams', () => {
  const paths = Object.keys(outputs).filter((path) => path.endsWith('.mjs'));
  const asking = paths.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('getBuiltinModule'));
  expect(asking).toEqual([]);
});

const isDictionary = (path: string) =>
  sourcesOf([path]).every((file) => /^(?:later:)?src\/languages\/compiled\//.test(file));

it('all modules without the texts in languages take at most 569 KiB, gzipped together as wrangler counts an upload', () => {
  const paths = Object.keys(outputs).filter((path) => path.endsWith('.mjs') && !isDictionary(path));
  const [entry = '', ...others] = paths.toSorted(
    (a, b) => Number(b.endsWith('/index.mjs')) - Number(a.endsWith('/index.mjs')),
  );
  const upload = Buffer.concat([entry, ...others].map((path) => readFileSync(join(ROOT, path))));
  expect(paths.length).toBeLessThanOrEqual(MOST.modules);
  expect(gzipSync(upload).length / KIB).toBeLessThan(MOST.gzippedKib);
});

it('the entry has no characters beyond Latin-1, for which V8 keeps a text in twice the memory, and no module is mostly escapes', () => {
  const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  expect([...loadedWith(ENTRY)].filter((path) => /[^\0-\xff]/.test(textOf(path)))).toEqual([]);
  for (const path of Object.keys(outputs).filter((path) => path.endsWith('.mjs'))) {
    const text = textOf(path);
    const escaped = 6 * (text.match(/\\u[0-9A-F]{4}/g) ?? []).length;
    expect(escaped, path).toBeLessThanOrEqual(text.length / 2);
  }
});

it('what verifies passkeys is loaded by their requests alone, without the libraries of certificates', () => {
  const isOfPasskeys = (file: string) => /@simplewebauthn|@peculiar|asn1js/.test(file);
  const loading = Object.values(outputs).flatMap(({ entryPoint }) => {
    const own = entryPoint?.replace(/^later:/, '');
    return own !== undefined && sourcesOf(loadedWith(own)).some(isOfPasskeys) ? [own] : [];
  });
  expect(loading).toEqual(['src/platform/passkeys/passkey-module.ts']);
  const packages = new Set(sourcesOf(loadedWith('src/platform/passkeys/passkey-module.ts')).map(packageOf));
  expect(packages).toContain('@peculiar/asn1-ecc');
  for (const name of [
    '@peculiar/x509',
    '@peculiar/asn1-x509',
    '@peculiar/asn1-android',
    'reflect-metadata',
    'tsyringe',
  ])
    expect(packages).not.toContain(name);
});

it('the upload has neither the JSON Schema of zod, nor JSX for browsers, nor the page of the kit', () => {
  const files = sourcesOf(Object.keys(outputs).filter((path) => path.endsWith('.mjs')));
  expect(files.filter((file) => /\/hono\/dist\/jsx\/(?:dom\/render|hooks)/.test(file))).toEqual([]);
  const upload = Object.keys(outputs).filter((path) => path.endsWith('.mjs'));
  const texts = upload.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('');
  expect(texts).not.toContain('https://json-schema.org/draft/');
  expect(texts).not.toContain('Every component of the pages');
});

it('rules, objects, consumers, surfaces and their parts are modules of their own', () => {
  const later = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint?.replace(/^later:/, '') ?? []);
  expect(later).toEqual(
    expect.arrayContaining([
      'src/api/health.ts',
      'src/api/links.ts',
      'src/api/tokens.ts',
      'src/app/api.ts',
      'src/app/click-sender.ts',
      'src/app/crons.ts',
      'src/app/mcp.ts',
      'src/app/oauth.ts',
      'src/app/operator.ts',
      'src/app/platform.ts',
      'src/app/queues.ts',
      'src/app/further-api.ts',
      'src/platform/clicks/overview.tsx',
      'src/platform/further-pages.ts',
      'src/platform/links/list/list.tsx',
      'src/platform/links/page/link.tsx',
      'src/platform/oauth/consent.tsx',
      'src/platform/sign-in/sign-in.tsx',
      'src/link-limit/object.ts',
      'src/redirect/follow.ts',
      'src/redirect/locked.ts',
      'src/statistics/object.ts',
    ]),
  );
});

// The plugins of esbuild that build the Worker: https://esbuild.github.io/plugins/
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Modules of Node by their bare names, such as `buffer`, which CommonJS packages require: the Workers runtime has them
 * by the names with `node:` (https://developers.cloudflare.com/workers/runtime-apis/nodejs/).
 */
export const bareBuiltins = {
  name: 'bare-builtins',
  setup({ onResolve, onLoad }) {
    const names = builtinModules.filter((name) => !/[:_]/.test(name)).join('|');
    onResolve({ filter: new RegExp(`^(?:${names})$`) }, ({ path }) => ({ path, namespace: 'builtin' }));
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `export * from 'node:${path}';\nexport { default } from 'node:${path}';\n`,
      loader: 'js',
    }));
  },
};

/**
 * Leaves out what the Worker never calls and esbuild keeps: the JSON Schema of zod, which each schema has as a method,
 * but only the API document needs; helpers of zod, which its schemas import as one object; hono's JSX for browsers, since
 * hono does not say that its modules have no side effects; and the router that hono takes by itself, since the surfaces
 * name another one.
 */
export const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad, onResolve, resolve: resolveAs }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/ }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(/^export (?:function|const) (\w+)/gm)];
      // Those that create the methods are called for each schema. A call of anything else fails.
      const contents = names.map(
        ([, name]) => `export const ${name} = ${name.startsWith('create') ? '() => {}' : 'undefined'};\n`,
      );
      return { contents: contents.join(''), loader: 'js' };
    });
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const whole = 'import { util } from "../core/index.js";';
      if (!source.includes(whole)) throw new Error(`${path} imports its helpers in another way`);
      return {
        contents: source.replace(whole, 'import * as util from "../core/util.js";').replaceAll('core.util.', 'util.'),
        resolveDir: dirname(path),
        loader: 'js',
      };
    });
    onLoad({ filter: /[\\/]hono[\\/]dist[\\/]router[\\/]reg-exp-router[\\/]router\.js$/ }, ({ path }) => ({
      contents: `export { TrieRouter as RegExpRouter } from '../trie-router/router.js';\n`,
      resolveDir: dirname(path),
      loader: 'js',
    }));
    onResolve({ filter: /./ }, async ({ path, pluginData, ...args }) => {
      const isOfHono = path.startsWith('hono/') || /[\\/]hono[\\/]dist[\\/]/.test(args.importer);
      if (!isOfHono || pluginData === withoutUnused) return null;
      return { ...(await resolveAs(path, { ...args, pluginData: withoutUnused })), sideEffects: false };
    });
  },
};

/**
 * Leaves out the certificate libraries of `@simplewebauthn/server`, which verify the statement of who has made an
 * authenticator. The service asks for none (`attestation: 'none'`) and drops one that is sent even so, and the libraries
 * are two thirds of the package. So the checks of each kind of statement refuse all, there are no root certificates, and no
 * key of a certificate is read. What verifies signatures stays, with the parser of ASN.1 that those of ES256 need: a test
 * verifies one of each algorithm in the built Worker. Neither package says that its modules have no side effects.
 */
export const withoutAttestation = {
  name: 'without-attestation',
  setup({ onLoad, onResolve, resolve: resolveAs }) {
    onLoad({ filter: /[\\/]server[\\/]esm[\\/]registration[\\/].*[\\/]verifyAttestation\w+\.js$/ }, ({ path }) => ({
      contents: `export const ${basename(path, '.js')} = () => false;\n`,
      loader: 'js',
    }));
    onLoad({ filter: /[\\/]server[\\/]esm[\\/]services[\\/]settingsService\.js$/ }, () => ({
      contents: `export const SettingsService = { getRootCertificates: () => [], runtimeSupportsPQC: () => false };\n`,
      loader: 'js',
    }));
    onLoad({ filter: /[\\/]server[\\/]esm[\\/]helpers[\\/]convertX509PublicKeyToCOSE\.js$/ }, () => ({
      contents: `export const convertX509PublicKeyToCOSE = undefined;\n`,
      loader: 'js',
    }));
    onResolve({ filter: /./ }, async ({ path, pluginData, ...args }) => {
      const isOfThem =
        /^@(?:simplewebauthn|peculiar)\//.test(path) || /[\\/]@(?:simplewebauthn|peculiar)[\\/]/.test(args.importer);
      if (!isOfThem || pluginData === withoutAttestation) return null;
      return { ...(await resolveAs(path, { ...args, pluginData: withoutAttestation })), sideEffects: false };
    });
  },
};

/**
 * Leaves out the page that shows each component of the pages: it is for people who change them, in local runs. Its
 * address is then not found.
 */
export const withoutKit = {
  name: 'without-kit',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]platform[\\/]kit-page[\\/]kit-page\.tsx$/ }, ({ path }) => ({
      contents: `import { Hono } from 'hono';\nexport const kitPages = () => new Hono();\n`,
      resolveDir: dirname(path),
      loader: 'js',
    }));
  },
};

/**
 * Lets hono's JSX import `AsyncLocalStorage`. It would ask `process` for it, and the first use of that creates the
 * streams of a process, which takes a fifth of a small page.
 */
export const importedStorage = {
  name: 'imported-storage',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]hono[\\/]dist[\\/]jsx[\\/]context\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const probe = 'global.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage';
      if (!source.includes(probe)) throw new Error(`${path} finds AsyncLocalStorage in another way`);
      const imported = "import { AsyncLocalStorage as Storage } from 'node:async_hooks';\n";
      return { contents: imported + source.replace(probe, 'Storage'), loader: 'js' };
    });
  },
};

/** Leaves out the comments in the statements that create the tables of objects. */
export const withoutSqlComments = {
  name: 'without-sql-comments',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:link-limit|statistics)[\\/]schema\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/(^|`) *-- .*$/gm, '$1'),
      resolveDir: dirname(path),
      loader: 'ts',
    }));
  },
};

/** Lets fast-png compress by the zlib of the platform, so that no other one is uploaded. */
export const platformZlib = {
  name: 'platform-zlib',
  setup({ onResolve }) {
    onResolve({ filter: /^fflate$/ }, () => ({ path: fileURLToPath(new URL('zlib.mjs', import.meta.url)) }));
  },
};

const LATER = 'later';

/**
 * Gives a module of its own to what is imported by `import()`, by which it also loads other source files. Its name in
 * the metafile is `later:` with the path of what is imported.
 *
 * @param root the project's folder
 * @param filesOf those files by that name
 */
export const laterModules = (root, filesOf) => ({
  name: 'later-modules',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: relative(root, resolve(resolveDir, path)), namespace: LATER } : null,
    );
    onResolve({ filter: /^with:/ }, ({ path }) => ({ path: resolve(root, path.slice('with:'.length)) }));
    onLoad({ filter: /./, namespace: LATER }, ({ path }) => {
      // Those of other plugins are no files.
      const files = (filesOf.get(`${LATER}:${path}`) ?? []).filter((file) => !/^\w+:/.test(file));
      const imports = files.map((file) => `import ${JSON.stringify(`with:${file}`)};\n`).join('');
      return { contents: `export * from ${JSON.stringify(`./${path}`)};\n${imports}`, resolveDir: root, loader: 'js' };
    });
  },
});

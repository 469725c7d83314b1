import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build, transform, type Plugin } from 'esbuild';
import { instrument, RECORDER, type TracedFunction } from './instrument.ts';

const JSX = { jsx: 'automatic', jsxImportSource: 'hono/jsx' } as const;

/**
 * Builds the traced Worker: one module, in which each function of `src/` reports its calls.
 *
 * @param root the project's folder
 * @returns the functions, by the numbers that they report
 */
export async function buildTraced(root: string, outfile: string): Promise<readonly TracedFunction[]> {
  const functions: TracedFunction[] = [];
  await build({
    entryPoints: [join(root, 'scripts/trace/worker.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    // Like wrangler: https://developers.cloudflare.com/workers/wrangler/bundling/
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['cloudflare:*', 'node:*'],
    ...JSX,
    logLevel: 'warning',
    plugins: [instrumented(root, functions)],
  });
  return functions;
}

function instrumented(root: string, functions: TracedFunction[]): Plugin {
  const recorder = join(root, 'scripts/trace/recorder.ts');
  return {
    name: 'trace',
    setup(bundler) {
      bundler.onResolve({ filter: new RegExp(`^${RECORDER}$`) }, () => ({ path: recorder }));
      bundler.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const file = relative(root, path).replaceAll(sep, '/');
        if (!file.startsWith('src/')) return null;
        const loader = path.endsWith('x') ? 'tsx' : 'ts';
        const { code } = await transform(readFileSync(path, 'utf8'), { loader, target: 'es2024', ...JSX });
        return { contents: instrument(code, (name) => functions.push({ file, name }) - 1), loader: 'js' };
      });
    },
  };
}

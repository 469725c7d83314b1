/** The modules that the test runner has evaluated, as its `resetModules` sees them. */
interface Registry {
  readonly idToModuleMap: ReadonlyMap<string, Evaluated>;
}

interface Evaluated {
  promise?: unknown;
  exports?: unknown;
  evaluated: boolean;
  readonly importers: Set<string>;
}

const ROOT = decodeURIComponent(new URL('../../', import.meta.url).pathname);
/** The modules in which an isolate keeps what it remembers, and those that import them. */
const FORGOTTEN = [`${ROOT}test/`, `${ROOT}src/app`, `${ROOT}src/index.ts`];
/** Modules of the tests that do not reach the app: the API document, which takes longer to read than many files. */
const KEPT = new Set([`${ROOT}test/support/documented.ts`]);

/**
 * Lets the next file evaluate the app anew, and the modules of the tests, which reach it. All others stay, since they keep
 * nothing between requests but what they would find again: `vi.resetModules`, which resets them too, costs more than most
 * files. It has no public API.
 */
export function forgetApp(): void {
  const { __vitest_worker__: worker } = globalThis as unknown as {
    readonly __vitest_worker__: { readonly evaluatedModules: Registry };
  };
  for (const [path, module] of worker.evaluatedModules.idToModuleMap) {
    if (!FORGOTTEN.some((begin) => path.startsWith(begin)) || KEPT.has(path)) continue;
    delete module.promise;
    delete module.exports;
    module.evaluated = false;
    module.importers.clear();
  }
}

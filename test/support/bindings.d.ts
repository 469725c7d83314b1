declare namespace Cloudflare {
  interface Env {
    /** The statements of all migrations as one text, only for tests. */
    readonly SCHEMA: string;
    /** The number of requests and the seed of the fuzz test's long form; empty in the short form. */
    readonly FUZZ_REQUESTS: string;
    readonly FUZZ_SEED: string;
  }

  interface GlobalProps {
    mainModule: typeof import('../../src/index.ts');
  }
}

interface ImportMeta {
  /** The modules that the bundler of the tests finds for a pattern, by path. */
  readonly glob: (
    pattern: string,
    options?: { readonly query?: '?raw'; readonly import?: 'default'; readonly eager: true },
  ) => Readonly<Record<string, unknown>>;
}

declare module '*?raw' {
  /** The text of the file. */
  const text: string;
  export default text;
}

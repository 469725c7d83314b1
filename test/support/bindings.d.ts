declare namespace Cloudflare {
  interface Env {
    /** The statements of schema.sql; only tests have this. */
    readonly SCHEMA: readonly string[];
    /** How many requests the fuzz test sends in its long form, and their seed; empty in the short one. */
    readonly FUZZ_REQUESTS: string;
    readonly FUZZ_SEED: string;
  }

  interface GlobalProps {
    mainModule: typeof import('../../src/index.ts');
  }
}

interface ImportMeta {
  /** What the bundler of the tests finds at a pattern, by path. */
  readonly glob: (pattern: string) => Readonly<Record<string, unknown>>;
}

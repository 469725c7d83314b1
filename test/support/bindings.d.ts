declare namespace Cloudflare {
  interface Env {
    /** The statements of schema.sql; only tests have this. */
    readonly SCHEMA: readonly string[];
  }

  interface GlobalProps {
    mainModule: typeof import('../../src/index.ts');
  }
}

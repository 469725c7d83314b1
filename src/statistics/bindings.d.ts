declare namespace Cloudflare {
  interface Env {
    readonly STATISTICS: DurableObjectNamespace<import('./object.ts').ClientStatistics>;
  }
}

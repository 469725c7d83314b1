declare namespace Cloudflare {
  interface Env {
    readonly LIMITS: DurableObjectNamespace<import('./object.ts').LinkLimit>;
  }
}

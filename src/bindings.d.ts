/** The bindings of wrangler.toml; a Durable Object's stands in the room of its class. Vars and secrets are texts, which only config/ reads. */
declare namespace Cloudflare {
  interface Env {
    readonly DB: D1Database;
    readonly LINKS: KVNamespace;
    readonly CLICKS: Queue;
    readonly WEBHOOKS: Queue;
    readonly ASSETS: Fetcher;
    readonly VERSION: WorkerVersionMetadata;
    readonly SIGN_IN_PAIR_LIMIT: RateLimit;
    readonly SIGN_IN_ADDRESS_LIMIT: RateLimit;
    readonly CREATE_LIMIT: RateLimit;
    readonly CREATE_ADDRESS_LIMIT: RateLimit;
    readonly WRITE_LIMIT: RateLimit;
    readonly WRITE_ADDRESS_LIMIT: RateLimit;
    readonly BAD_CREDENTIAL_LIMIT: RateLimit;
    readonly SHARED_STATISTICS_LIMIT: RateLimit;
    readonly VERIFY_LIMIT: RateLimit;
    readonly LOOKUP_LIMIT: RateLimit;
    readonly OPERATOR_LIMIT: RateLimit;
    readonly LARGE_BODY_LIMIT: RateLimit;
    readonly PUBLIC_URL?: string;
    readonly ACCESS_TOKEN_SECONDS?: string;
    readonly ENCODE_CUTOFF?: string;
    readonly ENCODE_DEPRECATED_AT?: string;
    readonly ENCODE_SUNSET?: string;
    readonly MEMORY_SECONDS?: string;
    readonly RESTORE_CHECK_SECONDS?: string;
    readonly CLICK_PACK_SECONDS?: string;
    readonly CLICKS_DIRECT?: string;
    readonly STATISTICS_DETAIL_DAYS?: string;
    readonly CREATE_LIMITING?: string;
    readonly WEBHOOK_SCHEDULE?: string;
    readonly DOMAIN_TARGET?: string;
    readonly ROOT_URL?: string;
    readonly DESTINATION_SCHEMES?: string;
    readonly NOT_FOUND_URL?: string;
    readonly DNS_RESOLVER_URL?: string;
    readonly TARGET_RESOLVER_URL?: string;
    readonly DOMAIN_PROBE_URL?: string;
    readonly CF_ZONE_ID?: string;
    readonly CF_API_TOKEN?: string;
    readonly TOKEN_KEYS?: string;
    readonly OPERATOR_KEYS?: string;
    readonly WEBHOOK_KEYS?: string;
    readonly WEBHOOK_LOOPBACK?: string;
    readonly OIDC_ISSUER?: string;
    readonly OIDC_CLIENT_ID?: string;
    readonly OIDC_CLIENT_SECRET?: string;
    readonly OIDC_TENANTS?: string;
    readonly ACCESS_TEAM?: string;
    readonly ACCESS_AUDIENCE?: string;
    readonly SIGN_IN_JOINS?: string;
    readonly MAIL?: SendEmail;
    readonly MAIL_FROM?: string;
    readonly MAIL_URL?: string;
    readonly MAIL_TOKEN?: string;
    readonly MAIL_ORIGIN?: string;
  }
}

interface Env extends Cloudflare.Env {}

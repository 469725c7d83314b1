import { ConfigError, readText, type Settings } from './setting-values.ts';

/** The OpenID provider of the service. */
export interface OidcSettings {
  readonly issuer: string;
  /** The `client_id` that it gave this service. */
  readonly application: string;
  /** Null for an application without one. */
  readonly secret: string | null;
  /** The tenants whose word about an address counts, where a provider has several. */
  readonly tenants: readonly string[];
}

export function readOidc(settings: Settings): OidcSettings | null {
  const [issuer, application] = [readText(settings, 'OIDC_ISSUER'), readText(settings, 'OIDC_CLIENT_ID')];
  const [secret, tenants] = [readText(settings, 'OIDC_CLIENT_SECRET'), readText(settings, 'OIDC_TENANTS')];
  if (issuer === '' && application === '') return null;
  const url = URL.parse(issuer);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#{}@]/.test(issuer)) {
    throw new ConfigError(
      'OIDC_ISSUER must be the URL of one issuer, such as https://id.example.com, without a part in braces.',
    );
  }
  if (application === '') throw new ConfigError('OIDC_CLIENT_ID must be set, as OIDC_ISSUER is.');
  return {
    issuer,
    application,
    secret: secret || null,
    tenants: tenants.split(/[\s,]+/).filter((tenant) => tenant !== ''),
  };
}

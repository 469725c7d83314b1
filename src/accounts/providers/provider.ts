import type { BoundedMap } from '../../isolate/bounded-map.ts';
import type { KeySet } from '../../tokens/id-token.ts';
import type { Role } from '../roles.ts';

/** A way in which a company's people sign in: its OpenID provider. Its row is what identities belong to. */
export interface Provider {
  readonly id: string;
  /** The workspace that it opens; null for the provider of the service. */
  readonly clientId: string | null;
  /** As its answers name it (OpenID Connect Discovery 1.0, section 3). */
  readonly issuer: string;
  /** The `client_id` that the provider gave this service. */
  readonly application: string;
  readonly name: string;
  /** Sealed with the id; null without one. */
  readonly secret: string | null;
  /** The scopes that are asked for, separated by spaces. */
  readonly scope: string;
  readonly rules: readonly RoleRule[];
  readonly isOn: boolean;
}

/** This service as an application of a provider, which asks its token endpoint. */
export type Application = Pick<Provider, 'id' | 'issuer' | 'application' | 'secret'>;

/** The provider of the service, or the application of Cloudflare Access, as the settings name it. */
export interface NamedProvider extends Pick<Provider, 'issuer' | 'application'> {
  readonly kind: 'openid' | 'access';
}

/** A claim that gives a role: to people for whom it is, or has, the value. */
export interface RoleRule {
  readonly claim: string;
  readonly value: string;
  readonly role: Role;
}

/** The description that a provider publishes, as far as this service uses it. */
export interface Discovered {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string | null;
  readonly jwksUri: string;
  /** True if its responses name their issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** True if it takes secrets in the body of a request alone. */
  readonly takesSecretInBody: boolean;
}

/** The memory of an isolate about providers, by issuer, with the instant at which it was read. */
export interface ProviderMemory {
  readonly discovered: BoundedMap<string, { readonly value: Discovered; readonly at: number }>;
  /** With the instant at which they were last read for one that was unknown; 0 if never. */
  readonly keys: BoundedMap<string, { readonly value: KeySet; readonly at: number; readonly againAt: number }>;
}

/** The way in which requests reach providers. */
export interface ProviderReach {
  readonly memory: ProviderMemory;
  /** True if a request may be sent to a URL that a customer, or their provider, has named. */
  readonly guard: (url: URL) => Promise<boolean>;
}

/**
 * The facts that a test needs to use the data of a release: `known.json` beside `database.sqlite`. The file of a
 * release stays as it was written: those up to 1.2.0 have further fields, and a field that is added must be optional.
 */
export interface Known {
  /** Says that the passwords, keys and tokens open nothing. */
  readonly note: string;
  readonly version: string;
  /** ISO 8601. Tokens and sessions last 30 days from then on. */
  readonly createdAt: string;
  /** Where `npm start --persist-to DIR` looks for the database, below DIR. */
  readonly databasePath: string;
  /** The value of TOKEN_KEYS. */
  readonly tokenKeys: string;
  readonly users: readonly KnownUser[];
  readonly apiKeys: readonly KnownKey[];
  readonly domains: readonly KnownDomain[];
  readonly links: readonly KnownLink[];
  /** The clicks of each client, and of its campaigns as they were when the links were followed. */
  readonly clients: Readonly<Record<string, KnownClient>>;
}

export interface KnownUser {
  readonly name: string;
  readonly password: string;
  readonly localId: string;
  /** Each client with the role there. */
  readonly clients: Readonly<Record<string, 'owner' | 'member'>>;
  readonly tokens?: {
    readonly refreshToken: string;
    /** The former token, which `refreshToken` has replaced. */
    readonly usedRefreshToken: string;
  };
  /** The cookie of a browser that is signed in to the platform by http, as `name=value`. */
  readonly sessionCookie?: string;
}

export interface KnownKey {
  readonly name: string;
  readonly clientId: string;
  readonly text: string;
  /** Null for a key of the operator's tool, which has all permissions of its time. */
  readonly scopes: readonly string[] | null;
  readonly state: 'active' | 'revoked';
}

export interface KnownDomain {
  readonly host: string;
  readonly status: 'active' | 'pending' | 'removed';
  readonly rootUrl: string | null;
  readonly notFoundUrl: string | null;
}

export interface KnownLink {
  /** The special feature of the link. */
  readonly name: string;
  readonly id: string;
  readonly clientId: string;
  readonly secId: string;
  /** Null on the service's own host. */
  readonly customDomain: string | null;
  readonly slug: string;
  readonly aliases: readonly string[];
  readonly url: string;
  readonly campaignName: string | null;
  readonly metadata: string | null;
  /** An active link redirects; a blocked one is 403, all others are 410. */
  readonly state: 'active' | 'expired' | 'disabled' | 'deleted' | 'blocked';
  /** The number of entries in its history. */
  readonly history: number;
  readonly clicks: Clicks;
}

interface KnownClient {
  readonly clicks: Clicks;
  readonly campaigns: Readonly<Record<string, Clicks>>;
}

export interface Clicks {
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
}

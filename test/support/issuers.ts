import { env } from 'cloudflare:workers';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { inject } from 'vitest';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { seal } from '../../src/secrets/sealing.ts';
import { seedCaller, type Caller } from './forms.ts';
import { browse, cookiesOf, form, type Browse } from './platform.ts';
import type { Scripted } from './provider-settings.ts';
import type { Call } from './service.ts';
import { openWebhookIsolate, WEBHOOK_KEYS } from './webhook-owners.ts';

/** Issuers whose responses a test scripts, and workspaces that sign in with them. */

type Claims = Readonly<Record<string, unknown>>;

/** What differs from a right ID token. */
export interface Deviation {
  readonly claims?: Claims;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: CryptoKey | Uint8Array;
  /** The whole token. */
  readonly token?: string;
  /** Given beside the ID token. */
  readonly refreshToken?: string;
}

export class ScriptedIssuer {
  readonly issuer = `${inject('scriptedOrigin')}/${crypto.randomUUID()}`;
  #key: CryptoKey | undefined;
  #kid = '';

  /** @param description what differs from a right description */
  static async open(description: Claims = {}): Promise<ScriptedIssuer> {
    const issuer = new ScriptedIssuer();
    await issuer.describe(description);
    await issuer.rotate();
    return issuer;
  }

  async describe(changes: Claims): Promise<void> {
    const { issuer } = this;
    await this.script('/.well-known/openid-configuration', {
      body: JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...changes,
      }),
    });
  }

  async script(path: string, response: Scripted): Promise<void> {
    await fetch(`${this.issuer}${path}`, { method: 'PUT', body: JSON.stringify(response) });
  }

  /** The number of requests to a path. */
  async requestsTo(path: string): Promise<number> {
    return Number(await (await fetch(`${this.issuer}${path}`, { method: 'DELETE' })).text());
  }

  /** Signs with a new key from now on, and publishes that alone. */
  async rotate(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk: JWK = await exportJWK(publicKey);
    this.#key = privateKey;
    this.#kid = crypto.randomUUID();
    await this.script('/keys', {
      body: JSON.stringify({ keys: [{ ...jwk, kid: this.#kid, alg: 'RS256', use: 'sig' }] }),
    });
  }

  async sign(claims: Claims, { header = {}, key }: Deviation = {}): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: this.#kid, ...header }).sign(key ?? this.#key!);
  }

  /** Lets the token endpoint give an ID token of this person for an attempt. */
  async confirm(begun: Begun, person: Claims, deviation: Deviation = {}): Promise<void> {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: begun.url.searchParams.get('client_id'),
      nonce: begun.url.searchParams.get('nonce'),
      iat: now,
      exp: now + 300,
      ...person,
      ...deviation.claims,
    };
    const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
    const token = deviation.token ?? (await this.sign(given, deviation));
    await this.script('/token', {
      body: JSON.stringify({ token_type: 'Bearer', id_token: token, refresh_token: deviation.refreshToken }),
    });
  }
}

/** A browser that was sent to a provider. */
export interface Begun {
  readonly url: URL;
  /** The cookies of the browser. */
  readonly cookie: string;
}

export const APPLICATION = 'terse-at-acme';

interface Setting {
  readonly id?: string;
  readonly application?: string;
  readonly secret?: string | null;
  readonly rules?: readonly object[];
  readonly scope?: string;
  readonly isOn?: boolean;
}

/** Gives a workspace a provider, and returns its id. */
export async function seedProvider(
  { clientId }: Pick<Caller, 'clientId'>,
  issuer: string,
  { application = APPLICATION, secret = 'a secret', rules = [], scope = 'openid', isOn = true }: Setting = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const sealed = secret === null ? null : await seal(WEBHOOK_KEYS, id, secret);
  await env.DB.prepare(
    `INSERT INTO providers (id, kind, client_id, issuer, application, name, secret, scope, roles, created_at, updated_at, on_at)
     VALUES (?, 'openid', ?, ?, ?, 'Acme', ?, ?, ?, 1, 1, ?)`,
  )
    .bind(id, clientId, issuer, application, sealed, scope, JSON.stringify(rules), isOn ? 1 : null)
    .run();
  return id;
}

/** A workspace with a provider, in an isolate that reaches it. */
export interface ProviderScene {
  readonly owner: Caller;
  readonly issuer: ScriptedIssuer;
  readonly provider: string;
  readonly call: Call;
  /** Where the sign-in begins, if that is not the provider of the workspace. */
  readonly at?: string;
}

export async function openProviderScene(setting: Setting = {}): Promise<ProviderScene> {
  const [owner, issuer] = await Promise.all([seedCaller(), ScriptedIssuer.open()]);
  const provider = await seedProvider(owner, issuer.issuer, setting);
  return { owner, issuer, provider, call: openWebhookIsolate() };
}

const [COOKIE, PERSON] = ['__Host-terse-provider', '__Host-terse-person'];

/** The cookie that a response sets for a sign-in at a provider: that of a person who may join, or of the attempt. */
export function providerCookieOf(response: Response): string {
  const { [PERSON]: person, [COOKIE]: attempt } = cookiesOf(response);
  return person ? `${PERSON}=${person[0] ?? ''}` : `${COOKIE}=${attempt?.[0] ?? ''}`;
}

/** Sends a browser to the provider of a workspace. */
export async function begin(
  { owner, call, at = `/platform/sso/${owner.clientId}` }: Pick<ProviderScene, 'owner' | 'call' | 'at'>,
  { fields = {}, cookie = '' }: { fields?: Readonly<Record<string, string>>; cookie?: string } = {},
): Promise<Begun> {
  const response = await call(at, form(fields, { Cookie: cookie }));
  if (response.status !== 303) throw new Error(`begin answered ${response.status}: ${await response.text()}`);
  const url = new URL(response.headers.get('Location') ?? '');
  return { url, cookie: [cookie, providerCookieOf(response)].filter((one) => one !== '').join('; ') };
}

/** Brings a browser back from the provider, with a right response unless the query differs. */
export function comeBack(
  { owner, call, at = `/platform/sso/${owner.clientId}` }: Pick<ProviderScene, 'owner' | 'call' | 'at'>,
  { url, cookie }: Begun,
  changes: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const query = new URLSearchParams({ state: url.searchParams.get('state') ?? '', code: 'a code', ...changes });
  return call(`${at}/callback?${query.toString()}`, { headers: { Cookie: cookie } });
}

/** Brings a person back whom the provider has confirmed. */
export async function returnAs(scene: ProviderScene, person: Claims, deviation: Deviation = {}): Promise<Response> {
  const begun = await begin(scene);
  await scene.issuer.confirm(begun, person, deviation);
  return comeBack(scene, begun);
}

/** The browser of a person who signs in for the first time, and joins. */
export async function joinAs(scene: ProviderScene, person: Claims): Promise<SignedIn> {
  const cookie = providerCookieOf(await returnAs(scene, person));
  return signedIn(
    scene,
    await scene.call(`${scene.at ?? `/platform/sso/${scene.owner.clientId}`}/join`, form({}, { Cookie: cookie })),
  );
}

/** The browser of a person who has signed in before. */
export const signInAs = async (scene: ProviderScene, person: Claims): Promise<SignedIn> =>
  signedIn(scene, await returnAs(scene, person));

interface SignedIn {
  readonly browse: Browse;
  readonly cookie: string;
  readonly userId: string;
  readonly familyId: string;
}

async function signedIn({ call }: Pick<ProviderScene, 'call'>, response: Response): Promise<SignedIn> {
  const value = cookiesOf(response)['__Host-terse']?.[0];
  if (response.status !== 303 || value === undefined)
    throw new Error(`the sign-in answered ${response.status}: ${await response.text()}`);
  const row = await env.DB.prepare(
    'SELECT f.user_id, f.id FROM token_families f JOIN sessions s ON s.family_id = f.id WHERE s.hash = ?',
  )
    .bind(hashSecret(value))
    .first<{ user_id: string; id: string }>();
  const cookie = `__Host-terse=${value}`;
  return { browse: browse(cookie, call), cookie, userId: row?.user_id ?? '', familyId: row?.id ?? '' };
}

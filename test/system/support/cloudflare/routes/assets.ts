import { formOf, jsonOf, type Routes } from '../call.ts';
import { ApiError } from '../envelope.ts';
import { newId, type Account, type Script, type VersionAssets } from '../state.ts';
import type { Metadata } from '../upload.ts';

/** Static files: https://developers.cloudflare.com/workers/static-assets/direct-upload/ */
export const assetRoutes: Routes = {
  'POST /accounts/:account/workers/scripts/:script/assets-upload-session': (call) => {
    const { manifest } = jsonOf(call) as { manifest: Manifest };
    const session: Session = {
      id: newId(),
      files: new Map(Object.entries(manifest).map(([path, { hash }]) => [path, hash])),
    };
    sessionsOf(call.account).set(session.id, session);
    const missing = missingOf(call.account, session);
    // Without missing files this token completes the upload.
    return { jwt: tokenOf(session), buckets: missing.length === 0 ? [] : [missing] };
  },

  // Each field is a file, by its hash, as base64. The last upload gets the token that completes it.
  'POST /accounts/:account/workers/assets/upload': async (call) => {
    const session = sessionOf(call.account, call.headers.authorization?.replace('Bearer ', ''));
    const form = await formOf(call);
    for (const [hash, value] of form as Iterable<[string, unknown]>) {
      if (!(value instanceof File)) continue;
      call.account.assets.set(hash, { content: Buffer.from(await value.text(), 'base64'), type: value.type });
    }
    return { jwt: missingOf(call.account, session).length === 0 ? tokenOf(session) : null };
  },
};

type Manifest = Readonly<Record<string, { readonly hash: string; readonly size: number }>>;

interface Session {
  readonly id: string;
  readonly files: ReadonlyMap<string, string>;
}

const sessions = new WeakMap<Account, Map<string, Session>>();

function sessionsOf(account: Account): Map<string, Session> {
  const known = sessions.get(account) ?? new Map<string, Session>();
  sessions.set(account, known);
  return known;
}

function missingOf({ assets }: Account, { files }: Session): string[] {
  return [...new Set(files.values())].filter((hash) => !assets.has(hash));
}

const HOUR_SECONDS = 3600;

/** A token as wrangler reads it: a JWT with an expiry. The stub does not sign it. */
function tokenOf({ id }: Session): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ session: id, exp: Math.floor(Date.now() / 1000) + HOUR_SECONDS })}.stub`;
}

function sessionOf(account: Account, token: string | undefined): Session {
  const [, payload = ''] = token?.split('.') ?? [];
  const { session: id } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as { session?: string };
  const session = sessionsOf(account).get(id ?? '');
  if (session === undefined) throw new ApiError(401, 10000, 'Authentication error');
  return session;
}

/** The files of a new version, from the token in its metadata, or those of the latest version if it keeps them. */
export function assetsOf(
  account: Account,
  script: Script | undefined,
  { assets, keep_assets: keeps }: Metadata,
): VersionAssets | null {
  if (assets === undefined) return keeps === true ? (script?.versions.at(-1)?.assets ?? null) : null;
  const session = sessionOf(account, assets.jwt);
  if (missingOf(account, session).length > 0)
    throw new ApiError(400, 10021, 'The upload of the assets is not complete.');
  return { files: session.files, config: assets.config ?? {} };
}

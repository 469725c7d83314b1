import { noSuchShare, WHOLE_CLIENT } from '../../clicks/shared-permission.ts';
import type { Database } from '../../database/database.ts';
import { hashSecret } from '../../secrets/random-secrets.ts';
import { checkPassword, type LockGuard } from '../password/verify-password.ts';
import { selectOpened, type OpenedRow, type Shared } from './share-store.ts';

/** A public statistics page, as a visitor sees it. */
export interface OpenedShare {
  readonly id: string;
  readonly secretHash: string;
  readonly clientId: string;
  readonly shared: Shared;
  /** The name of a campaign, or of the client; null for a link, and for a client that has none. */
  readonly name: string | null;
  /** The short link and the title of a link; null for what has several. */
  readonly link: { readonly slug: string; readonly customDomain: string | null; readonly title: string | null } | null;
  readonly passwordHash: string | null;
  /** When the password last changed, in milliseconds since the epoch; null without one. */
  readonly passwordAt: number | null;
}

const SECRET = /^[\w-]{43}$/;

/**
 * Opens the page with a secret. The database finds it by a hash, whose comparison says nothing about the secret. Throws
 * `not_found`.
 */
export async function openShare(db: Database, secret: string): Promise<OpenedShare> {
  if (!SECRET.test(secret)) throw noSuchShare();
  const secretHash = hashSecret(secret);
  const [[row]] = await db.batch<[OpenedRow]>([selectOpened(secretHash)]);
  if (!row) throw noSuchShare();
  const { id, client_id: clientId, link_id: linkId, slug, host, title } = row;
  const shared = sharedOf(row);
  return {
    id,
    secretHash,
    clientId,
    shared,
    name: shared.kind === 'campaign' ? shared.name : shared.kind === 'client' ? row.client_name : null,
    link: linkId === null ? null : { slug: slug ?? '', customDomain: host, title },
    passwordHash: row.password_hash,
    passwordAt: row.password_at,
  };
}

function sharedOf({ link_id: link, campaign_name: campaign }: OpenedRow): Shared {
  if (link !== null) return { kind: 'link', name: link };
  return campaign === null || campaign === WHOLE_CLIENT ? { kind: 'client' } : { kind: 'campaign', name: campaign };
}

/** Verifies the password of a page. Throws `invalid_password`, `too_many_requests`, `busy`, `store_unavailable`. */
export function verifySharePassword(
  guard: LockGuard,
  { id, passwordHash }: OpenedShare,
  password: string,
): Promise<void> {
  return checkPassword(guard, { one: `share ${id}`, all: 'shares' }, async () => passwordHash, password);
}

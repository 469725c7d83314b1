import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { fieldError } from '../../input/validation.ts';
import type { Link } from '../link.ts';
import {
  deleteLogo,
  permissionFor,
  selectLogosOf,
  selectLogoTypes,
  upsertLogo,
  type LogoFileRow,
  type LogoOf,
  type LogoRow,
} from './kept-logo-store.ts';
import { readLogo, type Logo } from './logo.ts';
import type { QrFormat } from './options.ts';

/** The logos that a client keeps for QR codes: one for all of its links, and one for those of each domain. */

/** Their types by the hosts of the domains; '' is for all links. */
export type KeptLogos = ReadonlyMap<string, Logo['type']>;

/** Finds the types of the logos of a client. One round trip. Throws what `authorize` throws. */
export async function findKeptLogos(db: Database, actor: Actor, clientId: string): Promise<KeptLogos> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, LogoRow]>([
    selectAccess(actor, 'links:read', now),
    selectLogoTypes(actor, now, clientId),
  ]);
  authorize(access, actor, { several: true });
  return new Map(rows.map(({ domain, type }) => [domain, type]));
}

/** The type of the logo in the code of a link; null without one. A domain's own logo comes first. */
export const logoTypeOf = (kept: KeptLogos, { customDomain }: Pick<Link, 'customDomain'>): Logo['type'] | null =>
  kept.get(customDomain ?? '') ?? kept.get('') ?? null;

/**
 * Gets the logo in the code of a link for a file of a format: that of its domain, or else of all links. Throws
 * `invalid_logo` if neither is kept, or if it is an SVG for a PNG, and what `authorize` throws.
 */
export async function getKeptLogo(
  db: Database,
  actor: Actor,
  { clientId, customDomain }: Pick<Link, 'clientId' | 'customDomain'>,
  format: QrFormat,
): Promise<Logo> {
  const [row] = await readFiles(db, actor, clientId, customDomain);
  if (!row) throw noKeptLogo();
  const logo = await readLogo(new Uint8Array(Buffer.from(row.file, 'base64')));
  if (format === 'svg' || logo.pixels) return logo;
  throw fieldError(
    'invalid_logo',
    'logo',
    'The logo that is kept is an SVG, so the code with it is an SVG only. Draw the SVG, or keep a logo in PNG.',
  );
}

/** A logo as a page shows it, with its file in base64. */
export type LogoFile = Pick<LogoFileRow, 'type' | 'file'>;

/** Finds the logo of a domain of a client, or that of all links for '', with its file in base64; null if none is kept. */
export async function findLogoOf(
  db: Database,
  actor: Actor,
  { clientId, host }: { readonly clientId: string; readonly host: string },
): Promise<LogoFile | null> {
  const rows = await readFiles(db, actor, clientId, host);
  return rows.find(({ domain }) => domain === host) ?? null;
}

async function readFiles(
  db: Database,
  actor: Actor,
  clientId: string,
  host: string | null,
): Promise<readonly LogoFileRow[]> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, LogoFileRow]>([
    selectAccess(actor, 'links:read', now),
    selectLogosOf(actor, now, clientId, host),
  ]);
  authorize(access, actor, { several: true });
  return rows;
}

export const noKeptLogo = () =>
  fieldError(
    'invalid_logo',
    'logo',
    'No logo is kept. Keep one on the QR page of a link, or leave logo out for a code without one.',
  );

/**
 * Keeps a logo of the actor's client, in place of another one; false if it has no such domain. Throws what `authorize`
 * throws.
 */
export async function keepLogo(db: Database, actor: Actor, of: LogoOf, logo: Logo): Promise<boolean> {
  const now = Date.now();
  const [access, , kept] = await db.batch<[AccessRow, never, Pick<LogoRow, 'type'>]>([
    selectAccess(actor, permissionFor(of), now),
    ...upsertLogo(actor, now, of, logo.type, Buffer.from(logo.bytes).toString('base64')),
  ]);
  authorize(access, actor);
  return kept.length > 0;
}

/** Removes a logo of the actor's client, if it is kept. Throws what `authorize` throws. */
export async function removeLogo(db: Database, actor: Actor, of: LogoOf): Promise<void> {
  const now = Date.now();
  const [access] = await db.batch<[AccessRow, never, never]>([
    selectAccess(actor, permissionFor(of), now),
    ...deleteLogo(actor, now, of),
  ]);
  authorize(access, actor);
}

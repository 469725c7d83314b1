import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { fieldError } from '../../input/validation.ts';
import { deleteLogo, selectLogo, upsertLogo, type LogoRow } from './kept-logo-store.ts';
import { readLogo, type Logo } from './logo.ts';

/** The logo that a client keeps for the QR codes of all of its links. */

/** Finds the logo of a client; null if it keeps none. One round trip. Throws what `authorize` throws. */
export async function findKeptLogo(db: Database, actor: Actor, clientId: string): Promise<Logo | null> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, LogoRow]>([
    selectAccess(actor, 'links:read', now),
    selectLogo(actor, now, clientId),
  ]);
  authorize(access, actor, { several: true });
  return row ? readLogo(new Uint8Array(Buffer.from(row.file, 'base64'))) : null;
}

/** Gets the logo of a client. Throws `invalid_logo` if it keeps none, and what `authorize` throws. */
export async function getKeptLogo(db: Database, actor: Actor, clientId: string): Promise<Logo> {
  const logo = await findKeptLogo(db, actor, clientId);
  if (logo) return logo;
  throw noKeptLogo();
}

export const noKeptLogo = () =>
  fieldError(
    'invalid_logo',
    'logo',
    'No logo is kept. Keep one on the QR page of a link, or leave logo out for a code without one.',
  );

/** Like `getKeptLogo`, for a PNG: throws `invalid_logo` also if the logo is an SVG. */
export async function getKeptPngLogo(db: Database, actor: Actor, clientId: string): Promise<Logo> {
  const logo = await getKeptLogo(db, actor, clientId);
  if (logo.pixels) return logo;
  throw fieldError(
    'invalid_logo',
    'logo',
    'The logo that is kept is an SVG, so the code with it is an SVG only. Draw the SVG, or keep a logo in PNG.',
  );
}

/** Keeps a logo of the actor's client, in place of another one. Throws what `authorize` throws. */
export async function keepLogo(db: Database, actor: Actor, logo: Logo): Promise<void> {
  const now = Date.now();
  const [access] = await db.batch<[AccessRow, LogoRow]>([
    selectAccess(actor, 'links:write', now),
    upsertLogo(actor, now, logo.type, Buffer.from(logo.bytes).toString('base64')),
  ]);
  authorize(access, actor);
}

/** Removes the logo of the actor's client, if it keeps one. Throws what `authorize` throws. */
export async function removeLogo(db: Database, actor: Actor): Promise<void> {
  const now = Date.now();
  const [access] = await db.batch<[AccessRow, LogoRow]>([
    selectAccess(actor, 'links:write', now),
    deleteLogo(actor, now),
  ]);
  authorize(access, actor);
}

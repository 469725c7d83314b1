import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { fieldError } from '../../input/validation.ts';
import { deleteLogo, selectLogo, upsertLogo, type LogoRow } from './kept-logo-store.ts';
import { readLogo, type Logo } from './logo.ts';
import type { QrFormat } from './options.ts';

/** The logo that a client keeps for the QR codes of all of its links. */

/** Finds the type of the logo of a client; null if it keeps none. One round trip. Throws what `authorize` throws. */
export async function findKeptLogoType(db: Database, actor: Actor, clientId: string): Promise<Logo['type'] | null> {
  return (await readRow(db, actor, clientId, 'type'))?.type ?? null;
}

/**
 * Gets the logo of a client for a file of a format. Throws `invalid_logo` if it keeps none, or an SVG for a PNG, and what
 * `authorize` throws.
 */
export async function getKeptLogo(db: Database, actor: Actor, clientId: string, format: QrFormat): Promise<Logo> {
  const row = await readRow(db, actor, clientId, 'file');
  if (!row) throw noKeptLogo();
  const logo = await readLogo(new Uint8Array(Buffer.from(row.file, 'base64')));
  if (format === 'svg' || logo.pixels) return logo;
  throw fieldError(
    'invalid_logo',
    'logo',
    'The logo that is kept is an SVG, so the code with it is an SVG only. Draw the SVG, or keep a logo in PNG.',
  );
}

async function readRow<Column extends keyof LogoRow>(db: Database, actor: Actor, clientId: string, column: Column) {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, Pick<LogoRow, Column>]>([
    selectAccess(actor, 'links:read', now),
    selectLogo(actor, now, clientId, column),
  ]);
  authorize(access, actor, { several: true });
  return row;
}

export const noKeptLogo = () =>
  fieldError(
    'invalid_logo',
    'logo',
    'No logo is kept. Keep one on the QR page of a link, or leave logo out for a code without one.',
  );

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

import type { Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import type { Site } from '../../network/hosts.ts';
import { getLiveLink } from '../edit/get-link.ts';
import type { ManagedLink } from '../managed-link.ts';
import { shortUrlOf } from '../slugs/short-url.ts';
import { getKeptLogo } from './kept-logo.ts';
import { readLetters, type Letters } from './letters.ts';
import type { QrFormat, QrOptions } from './options.ts';
import { drawQrPng, drawQrSvg } from './qr.ts';

/** The letters of the text of a code; null for one without. Throws `store_unavailable`. */
export const lettersFor = async ({ text }: QrOptions, assets: Fetcher, site: Site): Promise<Letters | null> =>
  text === '' ? null : readLetters(assets, site.requestUrl);

/**
 * Draws the short URL of a link as a QR code, with the logo that is kept for it if the options say so. Throws what
 * `getLiveLink`, `getKeptLogo`, `lettersFor`, `drawQrSvg` and `drawQrPng` throw.
 */
export async function drawLinkCode(
  { db, site, assets }: { readonly db: Database; readonly site: Site; readonly assets: Fetcher },
  actor: Actor,
  id: string,
  format: QrFormat,
  options: QrOptions,
): Promise<{ readonly link: ManagedLink; readonly file: string | Uint8Array<ArrayBuffer> }> {
  const link = await getLiveLink(db, actor, id);
  const logo = options.logo ? await getKeptLogo(db, actor, link, format) : null;
  const draw = format === 'svg' ? drawQrSvg : drawQrPng;
  const letters = await lettersFor(options, assets, site);
  return { link, file: await draw(shortUrlOf(link, site), options, { logo, letters }) };
}

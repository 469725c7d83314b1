import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { readQuery } from '../../http/query.ts';
import { lazy } from '../../lazy.ts';
import { getLiveLink } from '../../links/edit/get-and-delete.ts';
import { drawQrPng, drawQrSvg, qrFields } from '../../links/qr.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import { parseFields } from '../../validation.ts';
import type { PlatformEnv } from '../env.ts';
import { inClient, signedIn } from '../guard.ts';

const LINK = '/platform/c/:client/links/:id';

/** QR codes for signed-in users, since the API accepts no sessions. */
export function qrFiles(): Hono<PlatformEnv> {
  const files = new Hono<PlatformEnv>();

  files.get(`${LINK}/qr.svg`, signedIn, inClient, async (c) => {
    const { text, options, name } = await ask(c, c.req.param('id'));
    if (name !== null) c.header('Content-Disposition', asDownload(`${name}.svg`));
    c.header('Content-Type', 'image/svg+xml');
    return c.body(await drawQrSvg(text, options));
  });

  files.get(`${LINK}/qr.png`, signedIn, inClient, async (c) => {
    const { text, options, name } = await ask(c, c.req.param('id'));
    if (name !== null) c.header('Content-Disposition', asDownload(`${name}.png`));
    c.header('Content-Type', 'image/png');
    return c.body(await drawQrPng(text, options));
  });

  return files;
}

const qrQuery = lazy(() => z.strictObject({ ...qrFields(), download: z.string().optional() }));

async function ask(c: Context<PlatformEnv>, id: string) {
  const { download, ...options } = parseFields(qrQuery(), readQuery(c));
  const link = await getLiveLink(c.var.db, c.var.actor, id);
  return { text: shortUrlOf(link, c.var.site), options, name: download === undefined ? null : `qr-${link.slug}` };
}

/** The header of a file that is saved under a name (RFC 6266, with the name as RFC 8187 encodes it). */
function asDownload(name: string): string {
  const file = name.replaceAll('/', '-');
  if (/^[\w.-]+$/.test(file)) return `attachment; filename="${file}"`;
  const encoded = encodeURIComponent(file).replaceAll(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${file.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encoded}`;
}

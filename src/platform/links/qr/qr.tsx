import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { readQuery } from '../../../http/query.ts';
import { lazy } from '../../../isolate/lazy.ts';
import { getLiveLink } from '../../../links/edit/get-link.ts';
import { MAX_LOGO_BYTES, readLogo, type Logo } from '../../../links/qr/logo.ts';
import { qrFields, type QrOptions } from '../../../links/qr/options.ts';
import { checkQr, drawQrPng, drawQrSvg } from '../../../links/qr/qr.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { parseFields } from '../../../input/validation.ts';
import type { PlatformEnv } from '../../env.ts';
import { newForm, readFieldsAndFile, submit } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { page } from '../../page.tsx';
import { headOf, openTab, seeDeleted } from '../page/link.tsx';
import { PrintPage } from './print-page.tsx';
import { QrPage, type Drawn } from './qr-page.tsx';
import { fileNameOf, KEPT_LOGO, qrAddress, settingsOf, withHash, withoutGround } from './qr-settings.ts';
import { displayUrl } from '../display-url.ts';

const LINK = '/platform/c/:client/links/:id';

/** The QR code of a link: its tab, and files for signed-in users, since the API accepts no sessions. */
export function qrPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(`${LINK}/qr`, signedIn, inClient, async (c) => {
    const query = readQuery(c);
    const of = await openTab(c);
    if (of.link.state === 'deleted') return seeDeleted(c, of);
    const draw = async (): Promise<Drawn> => {
      const options = parseFields(settings(), { ...USUAL, ...withoutGround(query) });
      await checkQr(of.shortUrl, options);
      const [svg, png] = ['svg', 'png'].map((kind) => qrAddress(of, options, kind));
      return { shown: svg!, svg: `${svg}&download=true`, png: `${png}&download=true`, options };
    };
    const drawn = await submit(c, query, draw);
    const form = drawn.ok ? newForm(settingsOf(drawn.value.options)) : withHash(drawn.form);
    const head = { ...headOf(of, 'qr'), status: drawn.ok ? 200 : drawn.status } as const;
    return page(c, head, <QrPage {...of} form={form} drawn={drawn.ok ? drawn.value : null} logo={null} />);
  });

  // A logo is in no address, so the page that it is sent for has the code in itself.
  pages.post(`${LINK}/qr`, signedIn, inClient, async (c) => {
    const of = await openTab(c);
    if (of.link.state === 'deleted') return seeDeleted(c, of);
    const { fields, file } = await readFieldsAndFile(c, 'logo', MAX_UPLOAD_BYTES);
    const { [KEPT_LOGO]: kept = '', ...typed } = fields;
    const bytes = new Uint8Array(file ? await file.arrayBuffer() : Buffer.from(kept, 'base64'));
    const logo = await submit(c, { ...typed, logo: '' }, async () => readLogo(bytes));
    const drawn = logo.ok
      ? await submit(c, typed, async () =>
          drawWith(of.shortUrl, parseFields(settings(), withoutGround(typed)), logo.value),
        )
      : logo;
    const form = drawn.ok ? newForm(settingsOf(drawn.value.options)) : withHash(drawn.form);
    const head = { ...headOf(of, 'qr'), status: drawn.ok ? 200 : drawn.status } as const;
    // What other settings are refused for, the logo is not to be chosen again for.
    const carried = logo.ok ? Buffer.from(logo.value.bytes).toString('base64') : null;
    return page(c, head, <QrPage {...of} form={form} drawn={drawn.ok ? drawn.value : null} logo={carried} />);
  });

  pages.get(`${LINK}/print`, signedIn, inClient, async (c) => {
    const options = parseFields(settings(), { ...USUAL, ...readQuery(c) });
    const of = await openTab(c);
    if (of.link.state === 'deleted') return seeDeleted(c, of);
    await checkQr(of.shortUrl, options);
    return page(c, { title: `Print ${displayUrl(of.shortUrl)}` }, <PrintPage {...of} options={options} />);
  });

  pages.get(`${LINK}/qr.svg`, signedIn, inClient, async (c) => {
    const { text, options, name } = await ask(c, c.req.param('id'));
    if (name !== null) c.header('Content-Disposition', asDownload(`${name}.svg`));
    c.header('Content-Type', 'image/svg+xml');
    return c.body(await drawQrSvg(text, options));
  });

  pages.get(`${LINK}/qr.png`, signedIn, inClient, async (c) => {
    const { text, options, name } = await ask(c, c.req.param('id'));
    if (name !== null) c.header('Content-Disposition', asDownload(`${name}.png`));
    c.header('Content-Type', 'image/png');
    return c.body(await drawQrPng(text, options));
  });

  return pages;
}

// Either the file or, as base64, the one before it, beside the other fields.
const MAX_UPLOAD_BYTES = Math.ceil((MAX_LOGO_BYTES * 4) / 3) + MAX_LOGO_BYTES + 64 * 1024;

// For print; the API draws a smaller one.
const USUAL = { size: '1024' };

const settings = lazy(() => z.strictObject(qrFields()));
const qrQuery = lazy(() => z.strictObject({ ...qrFields(), download: z.string().optional() }));

async function drawWith(text: string, options: QrOptions, logo: Logo): Promise<Drawn> {
  const svg = asData('image/svg+xml', Buffer.from(await drawQrSvg(text, options, logo)));
  const png = logo.pixels && asData('image/png', await drawQrPng(text, options, logo));
  return { shown: svg, svg, png, options };
}

const asData = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

async function ask(c: Context<PlatformEnv>, id: string) {
  const { download, ...options } = parseFields(qrQuery(), readQuery(c));
  const link = await getLiveLink(c.var.db, c.var.actor, id);
  return { text: shortUrlOf(link, c.var.site), options, name: download === undefined ? null : fileNameOf(link) };
}

/** The header of a file that is saved under a name (RFC 6266, with the name as RFC 8187 encodes it). */
function asDownload(file: string): string {
  if (/^[\w.-]+$/.test(file)) return `attachment; filename="${file}"`;
  const encoded = encodeURIComponent(file).replaceAll(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${file.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encoded}`;
}

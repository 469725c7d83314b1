import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { readQuery } from '../../../http/query.ts';
import { lazy } from '../../../isolate/lazy.ts';
import type { Link } from '../../../links/link.ts';
import { MAX_LOGO_BYTES, readLogo, type Logo } from '../../../links/qr/logo.ts';
import { QR_TYPES, qrFields, type QrFormat, type QrOptions } from '../../../links/qr/options.ts';
import {
  findKeptLogos,
  keepLogo,
  logoTypeOf,
  noKeptLogo,
  removeLogo,
  type KeptLogos,
} from '../../../links/qr/kept-logo.ts';
import { hasLetters, type Letters } from '../../../links/qr/letters.ts';
import { drawLinkCode, lettersFor } from '../../../links/qr/link-code.ts';
import { checkQr, drawQrPng, drawQrSvg } from '../../../links/qr/qr.ts';
import { parseFields } from '../../../input/validation.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeOther } from '../../flash.ts';
import { newForm, readFieldsAndFile, submit } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { page } from '../../page.tsx';
import { headOf, openTab, seeDeleted } from '../page/link.tsx';
import { RemoveLogoPage } from './logo-form.tsx';
import { PrintPage } from './print-page.tsx';
import type { Drawn } from './qr-code.tsx';
import { QrPage } from './qr-page.tsx';
import { fileNameOf, KEPT_LOGO, QR_STYLES, qrAddress, settingsOf, withHash, fromForm } from './qr-settings.ts';
import { displayUrl } from '../display-url.ts';
import { linkPath } from '../paths.ts';

const LINK = '/platform/c/:client/links/:id';

/** The QR code of a link: its tab, and files for signed-in users, since the API accepts no sessions. */
export function qrPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(`${LINK}/qr`, signedIn, inClient, async (c) => {
    const query = readQuery(c);
    const { db, actor, client } = c.var;
    const [of, logos] = await Promise.all([openTab(c), findKeptLogos(db, actor, client.id)]);
    if (of.link.state === 'deleted') return seeDeleted(c, of);
    const kept = logoTypeOf(logos, of.link);
    const draw = async (): Promise<Drawn> => {
      const options = parseFields(settings(), fromForm({ ...USUAL, ...(kept && { logo: 'true' }), ...query }));
      if (options.logo && kept === null) throw noKeptLogo();
      const sides = await checkQr(of.shortUrl, options);
      const letters = await lettersFor(options, c.env.ASSETS, c.var.site);
      const [svg, png] = ['svg', 'png'].map((kind) => qrAddress(of, options, kind));
      const lacks = options.logo && kept !== QR_TYPES.png ? 'logo' : lacksLetters(options, letters);
      const files = { shown: svg!, svg: `${svg}&download=true`, png: lacks === null ? `${png}&download=true` : null };
      return { ...files, ...sides, lacks, options };
    };
    const drawn = await submit(c, query, draw);
    const form = drawn.ok ? newForm(settingsOf(drawn.value.options)) : withHash(drawn.form);
    const head = { ...headOf(c, of, 'qr'), styles: QR_STYLES, status: drawn.ok ? 200 : drawn.status } as const;
    return page(
      c,
      head,
      <QrPage
        {...of}
        {...{ form }}
        drawn={drawn.ok ? drawn.value : null}
        logo={null}
        keeps={kept !== null}
        isOfDomain={hasOwnLogo(logos, of.link)}
      />,
    );
  });

  // A logo is in no address, so the page that it is sent for has the code in itself.
  pages.post(`${LINK}/qr`, signedIn, inClient, async (c) => {
    const [of, logos] = await Promise.all([openTab(c), findKeptLogos(c.var.db, c.var.actor, c.var.client.id)]);
    if (of.link.state === 'deleted') return seeDeleted(c, of);
    const { fields, file } = await readFieldsAndFile(c, 'logo', MAX_UPLOAD_BYTES);
    const { [KEPT_LOGO]: kept = '', do: action, ...typed } = fields;
    const { db, actor } = c.var;
    const bytes = new Uint8Array(file ? await file.arrayBuffer() : Buffer.from(kept, 'base64'));
    const logo = await submit(c, { ...typed, logo: '' }, async () => readLogo(bytes));
    const drawn = logo.ok
      ? await submit(c, typed, async () =>
          drawWith(c, of.shortUrl, parseFields(settings(), fromForm(typed)), logo.value),
        )
      : logo;
    if (action === 'keep' && logo.ok && drawn.ok) {
      await keepLogo(db, actor, 'all links', logo.value);
      return seeOther(c, qrAddress(of, { ...drawn.value.options, logo: true }, 'qr'), 'logo-kept');
    }
    const form = drawn.ok ? newForm(settingsOf(drawn.value.options)) : withHash(drawn.form);
    const head = { ...headOf(c, of, 'qr'), styles: QR_STYLES, status: drawn.ok ? 200 : drawn.status } as const;
    // What other settings are refused for, the logo is not to be chosen again for.
    const carried = logo.ok ? Buffer.from(logo.value.bytes).toString('base64') : null;
    return page(
      c,
      head,
      <QrPage
        {...of}
        {...{ form }}
        drawn={drawn.ok ? drawn.value : null}
        logo={carried}
        keeps={false}
        isOfDomain={hasOwnLogo(logos, of.link)}
      />,
    );
  });

  pages.get(`${LINK}/qr/remove-logo`, signedIn, inClient, async (c) => {
    const { client, link } = await openTab(c);
    const { text } = c.var.words;
    return page(
      c,
      { title: text('qr.removeLogo'), narrow: true },
      <RemoveLogoPage back={linkPath(client, link.id, 'qr')}>{text('qr.removeLogoEffect')}</RemoveLogoPage>,
    );
  });

  pages.post(`${LINK}/qr/remove-logo`, signedIn, inClient, async (c) => {
    const { client, link } = await openTab(c);
    await removeLogo(c.var.db, c.var.actor, 'all links');
    return seeOther(c, linkPath(client, link.id, 'qr'), 'logo-removed');
  });

  pages.get(`${LINK}/print`, signedIn, inClient, async (c) => {
    const options = parseFields(settings(), { ...USUAL, ...readQuery(c) });
    const of = await openTab(c);
    if (of.link.state === 'deleted') return seeDeleted(c, of);
    const { db, actor, client } = c.var;
    if (options.logo && logoTypeOf(await findKeptLogos(db, actor, client.id), of.link) === null) throw noKeptLogo();
    await checkQr(of.shortUrl, options);
    return page(
      c,
      { title: c.var.words.text('qr.printOf', { url: displayUrl(of.shortUrl) }), styles: QR_STYLES },
      <PrintPage {...of} options={options} />,
    );
  });

  pages.get(`${LINK}/qr.svg`, signedIn, inClient, (c) => respondWithFile(c, c.req.param('id'), 'svg'));
  pages.get(`${LINK}/qr.png`, signedIn, inClient, (c) => respondWithFile(c, c.req.param('id'), 'png'));

  return pages;
}

// Either the file or, as base64, the one before it, beside the other fields.
const MAX_UPLOAD_BYTES = Math.ceil((MAX_LOGO_BYTES * 4) / 3) + MAX_LOGO_BYTES + 64 * 1024;

// For print; the API draws a smaller one.
const USUAL = { size: '1024' };

const hasOwnLogo = (logos: KeptLogos, { customDomain }: Pick<Link, 'customDomain'>) =>
  customDomain !== null && logos.has(customDomain);

const settings = lazy(() => z.strictObject(qrFields()));
const qrQuery = lazy(() => z.strictObject({ ...qrFields(), download: z.string().optional() }));

/** Says if a PNG cannot have the letters of a text. */
const lacksLetters = ({ text }: QrOptions, letters: Letters | null) =>
  letters === null || hasLetters(letters, text) ? null : 'letters';

async function drawWith(c: Context<PlatformEnv>, shortUrl: string, options: QrOptions, logo: Logo): Promise<Drawn> {
  const letters = await lettersFor(options, c.env.ASSETS, c.var.site);
  const lacks = logo.pixels === null ? 'logo' : lacksLetters(options, letters);
  const sides = await checkQr(shortUrl, options);
  const svg = asData(QR_TYPES.svg, Buffer.from(await drawQrSvg(shortUrl, options, { logo, letters })));
  const png = lacks === null ? asData(QR_TYPES.png, await drawQrPng(shortUrl, options, { logo, letters })) : null;
  return { shown: svg, svg, png, ...sides, lacks, options };
}

const asData = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

async function respondWithFile(c: Context<PlatformEnv>, id: string, format: QrFormat): Promise<Response> {
  const { download, ...options } = parseFields(qrQuery(), readQuery(c));
  const { link, file } = await drawLinkCode({ ...c.var, assets: c.env.ASSETS }, c.var.actor, id, format, options);
  if (download !== undefined) c.header('Content-Disposition', asDownload(`${fileNameOf(link)}.${format}`));
  c.header('Content-Type', QR_TYPES[format]);
  return c.body(file);
}

/** The header of a file that is saved under a name (RFC 6266, with the name as RFC 8187 encodes it). */
function asDownload(file: string): string {
  if (/^[\w.-]+$/.test(file)) return `attachment; filename="${file}"`;
  const encoded = encodeURIComponent(file).replaceAll(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${file.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encoded}`;
}

import { actorOf } from '../../http/actor.ts';
import { qrQuery } from '../../http/qr-query.ts';
import { splitArguments, TOOL_INPUTS } from '../../http/tool-inputs.ts';
import { getLiveLink } from '../../links/edit/get-link.ts';
import { getKeptLogo, getKeptPngLogo } from '../../links/qr/kept-logo.ts';
import { drawQrPng, drawQrSvg } from '../../links/qr/qr.ts';
import { shortUrlOf } from '../../links/slugs/short-url.ts';
import { parseFields } from '../../input/validation.ts';
import type { Tool } from './tool.ts';

export const qrCodeTool: Tool = async ({ c, verify }, given) => {
  const { own, rest } = splitArguments(TOOL_INPUTS.qr_code, given);
  const { client_id: clientId, ...options } = parseFields(qrQuery(), rest);
  const { db, site } = c.var;
  const actor = actorOf(await verify(), clientId);
  const link = await getLiveLink(db, actor, own.link);
  const url = shortUrlOf(link, site);
  const getLogo = own.format === 'svg' ? getKeptLogo : getKeptPngLogo;
  const logo = options.logo ? await getLogo(db, actor, link.clientId) : null;
  if (own.format === 'svg') return { content: [{ type: 'text', text: await drawQrSvg(url, options, logo) }] };
  const data = Buffer.from(await drawQrPng(url, options, logo)).toString('base64');
  return {
    content: [
      { type: 'image', data, mimeType: 'image/png' },
      { type: 'text', text: `The QR code of the link ${link.id}.` },
    ],
  };
};

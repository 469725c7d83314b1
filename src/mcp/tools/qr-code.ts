import { actorOf } from '../../http/actor.ts';
import { qrQuery } from '../../http/qr-query.ts';
import { splitArguments, TOOL_INPUTS } from '../../http/tool-inputs.ts';
import { getLiveLink } from '../../links/edit/get-link.ts';
import { drawQrPng, drawQrSvg } from '../../links/qr/qr.ts';
import { shortUrlOf } from '../../links/slugs/short-url.ts';
import { parseFields } from '../../input/validation.ts';
import type { Tool } from './tool.ts';

export const qrCodeTool: Tool = async ({ c, verify }, given) => {
  const { own, rest } = splitArguments(TOOL_INPUTS.qr_code, given);
  const { client_id: clientId, ...options } = parseFields(qrQuery(), rest);
  const link = await getLiveLink(c.var.db, actorOf(await verify(), clientId), own.link);
  const url = shortUrlOf(link, c.var.site);
  if (own.format === 'svg') return { content: [{ type: 'text', text: await drawQrSvg(url, options) }] };
  const data = Buffer.from(await drawQrPng(url, options)).toString('base64');
  return {
    content: [
      { type: 'image', data, mimeType: 'image/png' },
      { type: 'text', text: `The QR code of the link ${link.id}.` },
    ],
  };
};

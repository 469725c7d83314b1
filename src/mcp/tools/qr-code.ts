import { actorOf } from '../../http/actor.ts';
import { qrQuery } from '../../http/qr-query.ts';
import { splitArguments, TOOL_INPUTS } from '../../http/tool-inputs.ts';
import { drawLinkCode } from '../../links/qr/link-code.ts';
import { parseFields } from '../../input/validation.ts';
import type { Tool } from './tool.ts';

export const qrCodeTool: Tool = async ({ c, verify }, given) => {
  const { own, rest } = splitArguments(TOOL_INPUTS.qr_code, given);
  const { client_id: clientId, ...options } = parseFields(qrQuery(), rest);
  const actor = actorOf(await verify(), clientId);
  const { link, file } = await drawLinkCode({ ...c.var, assets: c.env.ASSETS }, actor, own.link, own.format, options);
  if (typeof file === 'string') return { content: [{ type: 'text', text: file }] };
  const data = Buffer.from(file).toString('base64');
  return {
    content: [
      { type: 'image', data, mimeType: 'image/png' },
      { type: 'text', text: `The QR code of the link ${link.id}.` },
    ],
  };
};

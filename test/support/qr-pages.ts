import type { Browse } from './platform.ts';
import { pngLogo, SVG_LOGO } from './qr.ts';
import { ORIGIN } from './service.ts';

/** The tab of a link's QR code, and its files. */

type Fields = Readonly<Record<string, string | Blob>>;

/** Sends the form with a logo. */
export function send(browse: Browse, path: string, fields: Fields): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ level: 'H', ...fields })) body.set(name, value);
  return browse(`${path}/qr`, { method: 'POST', body, headers: { Origin: ORIGIN } });
}

export const png = (bytes: Uint8Array<ArrayBuffer> = pngLogo()) => new File([bytes], 'logo.png');
export const svg = (text = SVG_LOGO) => new File([text], 'logo.svg');

/** The file of a page's button with a text. */
export const fileOf = (page: string, type: string) => {
  const data = new RegExp(`href="data:${type.replace('+', '\\+')};base64,([^"]+)" download`).exec(page)?.[1];
  return data === undefined ? null : new Uint8Array(Buffer.from(data, 'base64'));
};

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
export const hrefOf = (page: string, text: string) =>
  unescaped(new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec(page)?.[1] ?? '');
export const faultOf = (page: string, name: string) =>
  unescaped(new RegExp(`id="fault-${name}">([^<]+)<`).exec(page)?.[1] ?? '');

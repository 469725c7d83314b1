import { Hono, type Context } from 'hono';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { qrQuery } from '../http/qr-query.ts';
import { readQuery } from '../http/query.ts';
import { getLiveLink } from '../links/edit/get-link.ts';
import { getKeptLogo, getKeptPngLogo } from '../links/qr/kept-logo.ts';
import { drawQrPng, drawQrSvg } from '../links/qr/qr.ts';
import { shortUrlOf } from '../links/slugs/short-url.ts';
import { parseFields } from '../input/validation.ts';

/** `/v1/links/{id}/qr.svg` and `.png`: the short link as a QR code. */
export function qrApi(): Hono<HttpEnv> {
  const qr = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: ANY_CHALLENGE });

  qr.get('/v1/links/:id/qr.svg', refusal, async (c) => {
    const { text, options, logo } = await ask(c, c.req.param('id'), getKeptLogo);
    const svg = await drawQrSvg(text, options, logo);
    c.header('Content-Type', 'image/svg+xml');
    return c.body(svg);
  });

  qr.get('/v1/links/:id/qr.png', refusal, async (c) => {
    const { text, options, logo } = await ask(c, c.req.param('id'), getKeptPngLogo);
    const png = await drawQrPng(text, options, logo);
    c.header('Content-Type', 'image/png');
    return c.body(png);
  });
  return qr;
}

async function ask(c: Context<HttpEnv>, id: string, getLogo: typeof getKeptLogo) {
  const actAs = readActor(c);
  const { client_id, ...options } = parseFields(qrQuery(), readQuery(c));
  const { db, site } = c.var;
  const actor = await actAs({ client_id });
  const link = await getLiveLink(db, actor, id);
  const logo = options.logo ? await getLogo(db, actor, link.clientId) : null;
  return { text: shortUrlOf(link, site), options, logo };
}

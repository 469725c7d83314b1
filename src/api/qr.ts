import { Hono, type Context } from 'hono';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { qrQuery } from '../http/qr-query.ts';
import { readQuery } from '../http/query.ts';
import { drawLinkCode } from '../links/qr/link-code.ts';
import { QR_TYPES, type QrFormat } from '../links/qr/options.ts';
import { parseFields } from '../input/validation.ts';

/** `/v1/links/{id}/qr.svg` and `.png`: the short link as a QR code. */
export function qrApi(): Hono<HttpEnv> {
  const qr = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: ANY_CHALLENGE });

  qr.get('/v1/links/:id/qr.svg', refusal, (c) => respond(c, c.req.param('id'), 'svg'));
  qr.get('/v1/links/:id/qr.png', refusal, (c) => respond(c, c.req.param('id'), 'png'));
  return qr;
}

async function respond(c: Context<HttpEnv>, id: string, format: QrFormat): Promise<Response> {
  const actAs = readActor(c);
  const { client_id, ...options } = parseFields(qrQuery(), readQuery(c));
  const { file } = await drawLinkCode(
    { ...c.var, assets: c.env.ASSETS },
    await actAs({ client_id }),
    id,
    format,
    options,
  );
  c.header('Content-Type', QR_TYPES[format]);
  return c.body(file);
}

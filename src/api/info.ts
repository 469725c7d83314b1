import { Hono } from 'hono';
import { AppError } from '../errors.ts';
import { BEARER_CHALLENGE, readBearer, refuseWith, tokenCredential, verifyFor } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { getLinkInfo } from '../links/edit/get-link.ts';
import { toRecord } from './record.ts';

/** `GET /info/{id}/{client_id}/{sec_id}`: a link's record and its clicks. */
export function infoApi(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get(
    '/info/:id/:clientId/:secId',
    refuseWith({ challenge: BEARER_CHALLENGE }),
    async (c) => {
      const credential = tokenCredential('access', await verifyFor(c, 'access', readBearer(c)));
      const { link, clicks } = await getLinkInfo(c.var, credential, c.req.param()).catch(throwAs400);
      return c.json({ result: JSON.stringify({ ...toRecord(link, c.var.site), clicks }) });
    },
  );
}

// The published interface documents 400, not 404, for a link that cannot be found here.
function throwAs400(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  throw new AppError('not_found', error.message, { status: 400, cause: error });
}

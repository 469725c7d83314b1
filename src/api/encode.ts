import { Hono, type Context } from 'hono';
import type { RepeatKey } from '../accounts/stored-responses.ts';
import { recordEncodeRefusal } from '../accounts/tokens/encode-callers.ts';
import type { EncodeSchedule } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { BEARER_CHALLENGE, readBearer, refuseWith, tokenCredential, verifyFor } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readForm } from '../http/form.ts';
import { readRepeat } from '../http/idempotency.ts';
import { limitRate, workWithin } from '../http/rate-limits.ts';
import { linkToolsOf } from '../http/link-tools.ts';
import { encodeLink } from '../links/create/encode-link.ts';
import { parseNewLink, type NewLink } from '../links/create/new-link.ts';
import { logProblem } from '../isolate/log.ts';
import type { TokenClaims } from '../tokens/claims.ts';
import { ENCODE_PATH } from './encode-retirement.ts';
import { success, toRecord } from './record.ts';

/**
 * `POST /shortener/encode`, deprecated: creates a short link with an access token. To retire it, delete this file,
 * encode-retirement.ts and what counts its callers: accounts/tokens/encode-callers.ts, links/create/encode-link.ts and
 * platform/keys/encode-notice.tsx.
 */
export function encodeApi(schedule: EncodeSchedule): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post(ENCODE_PATH, refuseWith({ challenge: BEARER_CHALLENGE }), async (c) => {
    const { link, claims, repeat } = await readCall(c, schedule, readBearer(c));
    const credential = tokenCredential('access', claims);
    await limitRate(c, 'create', credential);
    const record = await encodeLink(linkToolsOf(c), credential, link, (made) => toRecord(made, c.var.site), repeat);
    return c.json(success(record));
  });
}

async function readCall(
  c: Context<HttpEnv>,
  schedule: EncodeSchedule,
  token: string,
): Promise<{ link: NewLink; claims: TokenClaims; repeat: RepeatKey | null }> {
  let clientId: string | null = null;
  try {
    const repeat = readRepeat(c, 'encode');
    const fields = await readForm(c.req.raw);
    clientId = fields['client_id'] || null;
    const link = parseNewLink(fields, c.var.site, 'encode');
    const claims = await verifyFor(c, 'access', token);
    refuseAfterCutoff(schedule, claims.issuedAtSeconds);
    return { link, claims, repeat };
  } catch (refusal) {
    c.executionCtx.waitUntil(recordRefusal(c, token, clientId));
    throw refusal;
  }
}

// Counted after the answer. Calls beyond the limits of creates are not counted, since each would cost the write that
// the limits prevent.
async function recordRefusal(c: Context<HttpEnv>, token: string, clientId: string | null): Promise<void> {
  try {
    const claims = await verifyFor(c, 'access', token).catch(() => null);
    if (claims === null) return;
    const credential = tokenCredential('access', claims);
    await workWithin(c, 'create', credential, () => recordEncodeRefusal(c.var.db, credential, clientId));
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'too_many_requests') return;
    logProblem('encode_refusal_not_counted', cause);
  }
}

// By the token's own time of issue, so that a running program fails only once its token would have expired anyway.
function refuseAfterCutoff({ cutoffSeconds }: EncodeSchedule, issuedAtSeconds: number): void {
  if (cutoffSeconds === null || Math.floor(issuedAtSeconds) < cutoffSeconds) return;
  throw new AppError(
    'encode_retired',
    'POST /shortener/encode no longer accepts new tokens. Send the same form to POST /v1/links, with an API key ' +
      'from the platform or the api_token of GET /tokens/create_token in the header X-API-Key.',
  );
}

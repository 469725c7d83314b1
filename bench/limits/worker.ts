import { openLinkLimits } from '../../src/link-limit/limits.ts';
import { LinkLimit as Limit } from '../../src/link-limit/object.ts';
import { TIMEOUT_MS } from '../../src/timeouts.ts';
import { countRows, takeObjectUse } from '../counted-object.ts';

export { ClientStatistics } from '../../src/statistics/object.ts';

/** The object as it is, whose rows are counted. */
export class LinkLimit extends Limit {
  constructor(ctx: DurableObjectState, env: Env) {
    countRows(ctx.storage);
    super(ctx, env);
  }
}

const LIMIT = { max: 1_000_000_000, since: 1, revision: 1 };

/** A Worker that takes a place of one limited link for each request, and does nothing else. */
export default {
  async fetch(request, env) {
    if (new URL(request.url).pathname === '/.bench/rows') return Response.json(takeObjectUse().rowsWritten);
    const { isTaken } = await openLinkLimits(env.LIMITS, TIMEOUT_MS.linkLimit).take('link', LIMIT);
    return new Response(null, { status: isTaken ? 204 : 410 });
  },
} satisfies ExportedHandler<Env>;

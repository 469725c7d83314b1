import { openLinkLimits } from '../../src/link-limit/limits.ts';
import { LinkLimit as Limit } from '../../src/link-limit/object.ts';
import { TIMEOUT_MS } from '../../src/bounds/timeouts.ts';
import { countRows, takeObjectUse } from '../metered-object.ts';

export { ClientStatistics } from '../../src/statistics/object.ts';

/** The object as it is, whose rows are counted. */
export class LinkLimit extends Limit {
  constructor(ctx: DurableObjectState, env: Env) {
    countRows(ctx.storage);
    super(ctx, env);
  }
}

const MOST = 1_000_000_000;

/** A Worker that takes a place of a link for each request, by default one with the highest limit, and does nothing else. */
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/.bench/rows') return Response.json(takeObjectUse().rowsWritten);
    const limit = { max: Number(searchParams.get('max') ?? MOST), since: 1, revision: 1 };
    const { isTaken } = await openLinkLimits(env.LIMITS, TIMEOUT_MS.linkLimit).take(pathname, limit);
    return new Response(null, { status: isTaken ? 204 : 410 });
  },
} satisfies ExportedHandler<Env>;

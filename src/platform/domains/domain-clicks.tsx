import type { Context } from 'hono';
import { findCurrentLinks, MAX_LINKS_NOW } from '../../clicks/current-links.ts';
import type { Domain } from '../../domains/domain.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { breakdownsOfLinks } from '../clicks/cards.ts';
import { readCsv, readStatistics, type Scope, type ShownStatistics } from '../clicks/read-statistics.ts';
import { ClickStatistics } from '../clicks/statistics.tsx';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';

/** The clicks on the links of a domain: what each has now, since clicks do not say their host. */

// A domain can be managed without them.
const WITHOUT_CLICKS: ReadonlySet<ErrorCode> = new Set(['store_unavailable', 'too_many_requests']);

export interface DomainClicks {
  /** Also unavailable if they have too many questions to answer. */
  readonly statistics: ShownStatistics;
  /** True if it has more links than are counted. */
  readonly hasMore: boolean;
}

/** Null for a domain that serves nothing here. Throws what `readStatistics` throws, except for `WITHOUT_CLICKS`. */
export async function readDomainClicks(c: Context<PlatformEnv>, domain: Domain): Promise<DomainClicks | null> {
  if (domain.status === 'pending') return null;
  const { scope, hasMore } = await scopeOf(c, domain);
  try {
    return { statistics: await readStatistics(c, scope), hasMore };
  } catch (error) {
    if (!(error instanceof AppError) || !WITHOUT_CLICKS.has(error.code)) throw error;
    return { statistics: 'unavailable', hasMore };
  }
}

/** The breakdown that an address asks for as a file, or null. */
export async function readDomainCsv(c: Context<PlatformEnv>, domain: Domain): Promise<Response | null> {
  if (domain.status === 'pending' || !c.var.site.requestUrl.searchParams.has('csv')) return null;
  return readCsv(c, (await scopeOf(c, domain)).scope);
}

async function scopeOf(c: Context<PlatformEnv>, { id }: Domain): Promise<{ scope: Scope; hasMore: boolean }> {
  const { db, actor, client } = c.var;
  const { names, hasMore } = await findCurrentLinks(db, actor.credential, { kind: 'domain', name: id }, client.id);
  const scope = {
    subject: { kind: 'links', names },
    path: clientPath(client, `domains/${id}`),
    breakdowns: breakdownsOfLinks(names),
  } as const;
  return { scope, hasMore };
}

/** The click statistics on the page of a domain. */
export function DomainClickStatistics({ client, clicks }: { client: OwnClient; clicks: DomainClicks }) {
  const { text } = useWords();
  const { statistics, hasMore } = clicks;
  return (
    <>
      {hasMore && statistics !== 'unavailable' && (
        <p class="quiet">{text('domains.manyLinks', { most: MAX_LINKS_NOW })}</p>
      )}
      <ClickStatistics {...{ statistics, client }} empty={{ text: text('domains.noClicks') }} />
    </>
  );
}

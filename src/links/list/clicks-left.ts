import type { LinkLimits } from '../../link-limit/limits.ts';
import { forEachConcurrently } from '../../bounds/concurrency-limit.ts';
import { logProblem } from '../../isolate/log.ts';
import { TIMEOUT_MS, withTimeout } from '../../bounds/timeouts.ts';
import type { ManagedLink } from '../managed-link.ts';

// The platform opens six connections at a time for a request.
const AT_A_TIME = 6;

/**
 * Reads how many more visitors each of some links redirects, by id, from the objects of those that have a limit. It is
 * without those whose objects do not respond in time.
 *
 * @param openLimits called if one of them has a limit
 */
export async function readClicksLeft(
  openLimits: () => LinkLimits,
  links: readonly ManagedLink[],
): Promise<ReadonlyMap<string, number>> {
  const left = new Map<string, number>();
  const limited = links.flatMap(({ id, maxClicks: max, limitedAt: since, revision }) =>
    max === null || since === null ? [] : [{ id, limit: { max, since, revision } }],
  );
  if (limited.length === 0) return left;
  const limits = openLimits();
  const reading = forEachConcurrently(limited, AT_A_TIME, async ({ id, limit }) => {
    left.set(id, await limits.left(id, limit));
  });
  // For all of them together: those that have answered are shown.
  await withTimeout(TIMEOUT_MS.linkLimit, reading).catch((cause: unknown) => logProblem('clicks_left_not_read', cause));
  return left;
}

import type { LinkLimits } from '../../link-limit/limits.ts';
import { fewAtATime } from '../../few-at-a-time.ts';
import { logProblem } from '../../log.ts';
import { TIMEOUT_MS, withTimeout } from '../../timeouts.ts';
import type { ManagedLink } from '../managed.ts';

// The platform opens six connections at a time for a request.
const AT_A_TIME = 6;

/**
 * Reads how many more visitors each of some links redirects, from the objects of those that have a limit. Gives null for a
 * link without one, and if its object does not respond in time.
 */
export async function readClicksLeft(
  limits: LinkLimits,
  links: readonly ManagedLink[],
): Promise<(id: string) => number | null> {
  const left = new Map<string, number>();
  const reading = fewAtATime(links, AT_A_TIME, async ({ id, maxClicks: max, limitedAt: since, revision }) => {
    if (max !== null && since !== null) left.set(id, await limits.left(id, { max, since, revision }));
  });
  // For all of them together: those that have answered are shown.
  await withTimeout(TIMEOUT_MS.linkLimit, reading).catch((cause: unknown) => logProblem('clicks_left_not_read', cause));
  return (id) => left.get(id) ?? null;
}

import { hostnameOf } from '../network/hosts.ts';
import { AppError } from '../errors.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import { blockedHost } from './blocklist.ts';
import type { Destination } from './destination.ts';
import { isName } from './dns-name.ts';
import type { TargetFilter } from './resolver-filter.ts';

/**
 * Gives the error of each target that may not be linked, or null. Call it after the database has authorised the caller,
 * and only for new targets: its result is not stored with a link.
 */
export type TargetPolicy = (targets: readonly URL[]) => Promise<(target: URL) => AppError | null>;

/** Gives the error of a link for its destinations: that of the first one that may not be linked, or null. */
export type Refusals = (destinations: readonly Destination[]) => AppError | null;

/** Asks the policy about the destinations of one request. */
export async function refusalsBy(policy: TargetPolicy, destinations: readonly Destination[]): Promise<Refusals> {
  const refusalOf = await policy(destinations.map(({ url }) => url));
  return (some) => {
    const [refused] = some.flatMap(({ field, url }) => {
      const refusal = refusalOf(url);
      return refusal ? [{ field, refusal }] : [];
    });
    if (refused === undefined) return null;
    return refused.refusal.code === 'blocked_host' ? blockedHost(refused.field) : refused.refusal;
  };
}

// Two DNS queries each, of the thousand requests that the platform allows.
const MAX_HOSTS = 100;

/**
 * The policy for the targets of one request: the operator's filtering resolver is asked about at most 100 hosts, within
 * 2 seconds in all. A host without an answer in time is allowed.
 */
export function policyOf(targetFilter: TargetFilter): TargetPolicy {
  const ask = async (hosts: readonly string[], timeoutMs: number) =>
    hosts.length > 0 && timeoutMs > 0 ? targetFilter(hosts, timeoutMs) : new Set<string>();
  const known = new Map<string, AppError | null>();
  let waitedMs = 0;
  return async (targets) => {
    const unknown = [...new Set(targets.map(hostnameOf))].filter((host) => isName(host) && !known.has(host));
    const batch = unknown.slice(0, MAX_HOSTS - known.size);
    const askedAt = Date.now();
    const filtered = await ask(batch, TIMEOUT_MS.targetFilter - waitedMs);
    waitedMs += Math.max(0, Date.now() - askedAt);
    for (const host of batch) known.set(host, filtered.has(host) ? blockedHost() : null);
    return (target) => {
      const host = hostnameOf(target);
      const refusal = known.get(host);
      return refusal === undefined && isName(host) ? tooManyHosts() : (refusal ?? null);
    };
  };
}

// Links that exist already are not looked up again.
function tooManyHosts(): AppError {
  return new AppError(
    'too_many_rows',
    `The new links of one import can lead to at most ${MAX_HOSTS} hosts, since each host is checked. Import the same file again for the rest.`,
  );
}

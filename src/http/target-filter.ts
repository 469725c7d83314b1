import type { Credential } from '../accounts/grants.ts';
import { isName } from '../domains/filter.ts';
import { hostnameOf } from '../domains/host.ts';
import { AppError } from '../errors.ts';
import { blockedHost } from '../links/blocklist.ts';
import { judgeMaker } from '../links/create.ts';
import { letAllPass, type TargetJudge } from '../links/target-judge.ts';
import { PATIENCE_MS } from '../patience.ts';
import type { Asked } from './env.ts';

// Two questions each, of the thousand that the platform grants a request.
const MAX_HOSTS = 100;

/**
 * The filtering resolver of the operator, as a judge of the targets of one request: of at most 100 hosts, for which it is
 * waited 2 seconds in all. Without such a resolver every target passes, and so does what it says nothing about in time.
 */
export function targetJudge(c: Asked): TargetJudge {
  const { targetFilter } = c.var.services;
  if (targetFilter === null) return letAllPass;
  const ask = async (hosts: readonly string[], patienceMs: number) =>
    hosts.length > 0 && patienceMs > 0 ? targetFilter(hosts, patienceMs) : new Set<string>();
  const verdicts = new Map<string, AppError | null>();
  let waitedMs = 0;
  return async (targets) => {
    const unknown = [...new Set(targets.map(hostnameOf))].filter((host) => isName(host) && !verdicts.has(host));
    const asked = unknown.slice(0, MAX_HOSTS - verdicts.size);
    const askedAt = Date.now();
    const filtered = await ask(asked, PATIENCE_MS.targetFilter - waitedMs);
    waitedMs += Math.max(0, Date.now() - askedAt);
    for (const host of asked) verdicts.set(host, filtered.has(host) ? blockedHost() : null);
    return (target) => {
      const host = hostnameOf(target);
      const verdict = verdicts.get(host);
      return verdict === undefined && isName(host) ? tooManyHosts() : (verdict ?? null);
    };
  };
}

/**
 * The same for targets of links that are to be made: nobody else is asked about them before the database has judged the
 * credential. Throws `invalid_credential`, `insufficient_scope`.
 */
export async function judgeNewTargets(
  c: Asked,
  credential: Credential,
  targets: readonly URL[],
): Promise<(target: URL) => AppError | null> {
  if (c.var.services.targetFilter === null || targets.length === 0) return () => null;
  await judgeMaker(c.var.db, credential);
  return targetJudge(c)(targets);
}

/** Refuses the target of a link that is to be made. Throws `blocked_host`, and what `judgeNewTargets` throws. */
export async function refuseFiltered(c: Asked, credential: Credential, target: URL): Promise<void> {
  const refusalOf = await judgeNewTargets(c, credential, [target]);
  const refusal = refusalOf(target);
  if (refusal) throw refusal;
}

// Those that were made are not asked about again.
function tooManyHosts(): AppError {
  return new AppError(
    'too_many_rows',
    `New links may lead to ${MAX_HOSTS} hosts at a time, as each is looked up. Import the same file again for the rest.`,
  );
}

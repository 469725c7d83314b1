import { judgeFirst, type Actor } from '../accounts/access.ts';
import type { Database } from '../database.ts';
import { blockedHost } from '../links/blocklist.ts';
import { letAllPass, type TargetJudge } from '../links/target-judge.ts';
import type { DomainChange } from './input.ts';

/**
 * Refuses URLs of a domain that may not be led to. Who asks is judged first: nobody else has anyone asked about them.
 * Throws `blocked_host`, and what `judge` throws.
 */
export async function refuseFiltered(
  db: Database,
  actor: Actor,
  { rootUrl, notFoundUrl }: DomainChange,
  judgeTargets: TargetJudge,
): Promise<void> {
  const targets = [rootUrl, notFoundUrl].filter((url) => url != null);
  if (judgeTargets === letAllPass || targets.length === 0) return;
  await judgeFirst(db, actor, 'domains:write');
  const refusalOf = await judgeTargets(targets);
  if (rootUrl && refusalOf(rootUrl)) throw blockedHost('root_url');
  if (notFoundUrl && refusalOf(notFoundUrl)) throw blockedHost('not_found_url');
}

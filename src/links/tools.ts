import type { Schemes } from '../network/schemes.ts';
import type { LinkLimits } from '../link-limit/limits.ts';
import type { TargetPolicy } from '../targets/policy.ts';
import type { WorkQueue } from '../isolate/work-queue.ts';
import type { LinkTiers } from './redirect/resolve.ts';

/** The capabilities of the verbs of links: the stores and the memory that they write to, and what they ask before. */
export interface LinkTools extends Pick<LinkTiers, 'db' | 'kv' | 'memory'> {
  /** Refuses new destinations; null if all are allowed. */
  readonly targetPolicy: TargetPolicy | null;
  /** The schemes that destinations may have beside http and https. */
  readonly schemes: Schemes;
  /** Hashes the passwords of links. */
  readonly hashing: WorkQueue;
  /** The objects that count the clicks of links with a limit. */
  readonly limits: LinkLimits;
}

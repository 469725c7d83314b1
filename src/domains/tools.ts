import type { Credential } from '../accounts/grants.ts';
import type { Database } from '../database/database.ts';
import type { LinkMemory } from '../links/redirect/resolve.ts';
import type { TargetPolicy } from '../targets/policy.ts';
import type { AppLinkMemory } from './app-link-memory.ts';
import type { ProofSources } from './check-proof.ts';
import type { CustomHostnames } from './custom-hostnames.ts';

/** The capabilities of the verbs of domains. */
export interface DomainTools {
  readonly db: Database;
  readonly kv: KVNamespace;
  readonly memory: LinkMemory;
  readonly appLinkMemory: AppLinkMemory;
  /** Refuses URLs of a domain; null if all are allowed. */
  readonly targetPolicy: TargetPolicy | null;
  /** Where proofs of domains are checked. */
  readonly proofSources: ProofSources;
  /** Null if the operator binds hosts by hand. */
  readonly customHostnames: CustomHostnames | null;
  /** The hosts of the service itself. */
  readonly ownHosts: readonly string[];
  /** Throws `too_many_requests`. */
  readonly limitVerification: (credential: Credential) => Promise<void>;
  /** Continues after the answer (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

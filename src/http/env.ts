import type { Context } from 'hono';
import type { Credential } from '../accounts/grants.ts';
import type { RecentSignIns } from '../accounts/recent-sign-ins.ts';
import type { Config } from '../config.ts';
import type { Database, RestoreWatch } from '../database.ts';
import type { CustomHostnames } from '../domains/custom-hostnames.ts';
import type { TargetFilter } from '../targets/resolver-filter.ts';
import type { Site } from '../hosts.ts';
import type { ProofSources } from '../domains/check-proof.ts';
import type { AppError, ErrorCode } from '../errors.ts';
import type { LinkMemory } from '../links/redirect/resolve.ts';
import type { RecentlySeen } from '../recently-seen.ts';
import type { Tallies } from '../tallies.ts';
import type { KeyRing } from '../tokens/keys.ts';
import type { WorkQueue } from '../work-queue.ts';

/** What an isolate holds for all its requests. */
export interface Services {
  readonly config: Config;
  readonly keyRing: () => Promise<KeyRing>;
  readonly recentSignIns: RecentSignIns;
  /** The queue in which passwords are hashed. */
  readonly hashing: WorkQueue;
  /** Counts of creates and other writes. */
  readonly tallies: Tallies;
  readonly restores: RestoreWatch;
  readonly memory: LinkMemory;
  /** For which API keys the database was lately asked to note their use. */
  readonly keyUses: RecentlySeen;
  /** Where proofs of domains are looked for. */
  readonly proofSources: ProofSources;
  /** Who is asked whether new targets are known to be bad, or null. */
  readonly targetFilter: TargetFilter | null;
  /** Null where the operator binds hosts by hand. */
  readonly customHostnames: CustomHostnames | null;
}

/** How an endpoint refuses a caller whose credential is missing or bad. */
export interface Refusal {
  /** The `WWW-Authenticate` challenge (RFC 9110, section 11.6.1). */
  readonly challenge: (error: AppError) => string;
  /** The documented 401 body, where it is not `{result, error}`. */
  readonly body?: (error: AppError) => object;
}

/** The Hono environment of every HTTP surface. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    readonly services: Services;
    readonly db: Database;
    readonly site: Site;
    readonly requestId: string;
    /** The API key that the caller shows, judged or not. */
    apiKey?: Extract<Credential, { readonly kind: 'api_key' }>;
    refusal?: Refusal;
    /** The code of the failure that is being answered, for the log. */
    failure?: ErrorCode;
  };
}

/** A request as whatever only reads of it sees it, so that surfaces may know more of their own. */
export type RequestContext = Pick<Context<HttpEnv>, 'env' | 'req' | 'var'>;

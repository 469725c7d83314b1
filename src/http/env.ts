import type { Context } from 'hono';
import type { Carried } from '../database/service-database.ts';
import type { ProviderMemory } from '../accounts/providers/provider.ts';
import type { RecentSignIns } from '../accounts/sessions/recent-sign-ins.ts';
import type { AccessVerifier } from '../tokens/access-assertion.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseWatch } from '../database/database-watch.ts';
import type { AppLinkMemory } from '../domains/app-link-memory.ts';
import type { CustomHostnames } from '../domains/custom-hostnames.ts';
import type { TargetFilter } from '../targets/resolver-filter.ts';
import type { EventQueue } from '../events/notify.ts';
import type { LinkLimits } from '../link-limit/limits.ts';
import type { HostWaits } from '../network/host-waits.ts';
import type { Site } from '../network/hosts.ts';
import type { ProofSources } from '../domains/check-proof.ts';
import type { AppError, ErrorCode } from '../errors.ts';
import type { LinkMemory } from '../links/redirect/resolve.ts';
import type { RecentlySeen } from '../isolate/recently-seen.ts';
import type { Statistics } from '../statistics/statistics.ts';
import type { Tallies } from '../isolate/tallies.ts';
import type { TokenVerifier } from '../tokens/jwt.ts';
import type { OAuthVerifier } from '../tokens/oauth-token.ts';
import type { KeyRing } from '../tokens/keys.ts';
import type { OperatorVerifier } from '../tokens/operator.ts';
import type { WorkQueue } from '../isolate/work-queue.ts';

/** The part of `Services` that a redirect needs too: the redirect and all surfaces of an isolate share it. */
export interface Core {
  readonly config: Config;
  readonly memory: LinkMemory;
  readonly watch: DatabaseWatch;
  /** The queue for hashing passwords. */
  readonly hashing: WorkQueue;
  /** Files of app links, by host. */
  readonly appLinkMemory: AppLinkMemory;
}

/** The services that an isolate holds for all of its requests. */
export interface Services extends Core {
  readonly keyRing: () => Promise<KeyRing>;
  readonly verifyToken: TokenVerifier;
  readonly verifyOAuthToken: OAuthVerifier;
  readonly recentSignIns: RecentSignIns;
  /** Counts of creates and other writes. */
  readonly tallies: Tallies;
  /** The click statistics for callers, by their binding, which is the same for all requests of an isolate. */
  readonly openedStatistics: WeakMap<Env['STATISTICS'], Statistics>;
  /** Verifies the tokens of the operator's tools, each once, wherever it is sent. */
  readonly verifyOperator: OperatorVerifier;
  /** The API keys and grants of OAuth whose use was lately recorded in the database. */
  readonly keyUses: RecentlySeen;
  /** Where proofs of domains are checked. */
  readonly proofSources: ProofSources;
  /** Checks whether new targets are known to be harmful; null without a filtering resolver. */
  readonly targetFilter: TargetFilter | null;
  /**
   * The queue of the events that a request records.
   *
   * @param origin of the request: that of short links while `PUBLIC_URL` is not set
   */
  readonly eventQueueOf: (env: Env, origin: string) => EventQueue;
  /** Verifies assertions of Cloudflare Access; null without it. */
  readonly verifyAssertion: AccessVerifier | null;
  /** The hosts of destinations that ask look-ups to wait. */
  readonly hostWaits: HostWaits;
  /** Null if the operator binds hosts by hand. */
  readonly customHostnames: CustomHostnames | null;
  /** The memory about the providers of workspaces, and about that of the service. */
  readonly providers: { readonly ofWorkspaces: ProviderMemory; readonly own: ProviderMemory };
}

/** The refusal of a caller whose credential is missing or bad, by endpoint. */
export interface Refusal {
  /** The `WWW-Authenticate` challenge (RFC 9110, section 11.6.1). */
  readonly challenge: (error: AppError) => string;
  /** The documented 401 body, if it is not `{result, error}`. */
  readonly body?: (error: AppError) => object;
}

/** The facts that are known of the caller of a request by now. */
export interface Caller {
  /** Records the use of the API key that the caller presents, verified or not, in the next batch of the request. */
  carry?: () => Carried | null;
  /** Each counts the request for a limit of its address, after the response: by its failure, if it has one. */
  readonly toCount: ((failure: ErrorCode | undefined) => Promise<void>)[];
}

/** The Hono environment of every HTTP surface. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    readonly services: Services;
    readonly db: Database;
    readonly statistics: Statistics;
    /** Opens the limits of all links, which few requests need. */
    readonly openLimits: () => LinkLimits;
    readonly site: Site;
    readonly requestId: string;
    readonly caller: Caller;
    refusal?: Refusal;
    /** The code of the failure in the answer, for the log. */
    failure?: ErrorCode;
  };
}

/** The part of a context that functions of all surfaces can take. */
export type RequestContext = Pick<Context<HttpEnv>, 'env' | 'req' | 'var'>;

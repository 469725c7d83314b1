import { UNCONFIRMED_WRITE } from '../database/outages.ts';
import { openServiceDatabase } from '../database/service-database.ts';
import { AppError } from '../errors.ts';
import { NO_QUEUE } from '../events/notify.ts';
import { callerAddress } from '../network/address-block.ts';
import { asAppError, failureBody, failureHeaders } from '../http/failure.ts';
import { openLimiter, tooManyRequests } from '../bounds/rate-limiter.ts';
import { logProblem } from '../isolate/log.ts';
import { RecentlySeen } from '../isolate/recently-seen.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import type { OperatorVerifier } from '../tokens/operator.ts';
import { openEventQueue } from '../webhooks/delivery/messages.ts';
import { ACCOUNT_COMMANDS } from './accounts.ts';
import { BACKUP_COMMANDS } from './backup.ts';
import { BLOCKLIST_COMMANDS } from './blocklist.ts';
import type { OperatorCommand, Stores } from './command.ts';
import { IMPORT_COMMANDS } from './imports.ts';
import { LIMIT_COMMANDS } from './limits.ts';
import type { ServedRequest } from './log.ts';
import { openLimits, openObjects, placeStatistics } from './objects.ts';
import { MAIL_COMMANDS } from './mails.ts';
import { LOG_COMMANDS, OperatorLogEntry } from './operator-log.ts';
import { RESTORE_COMMANDS } from './restore.ts';
import { STATISTICS_COMMANDS } from './statistics.ts';

/** The operator's surface: the commands that the operator's tools send, each a POST to its own path. */

export const OPERATOR_PATH = '/operator/v1/';

/** The header that marks an answer of this surface, so that the tools do not take another server for it. */
export const OPERATOR_HEADER = 'Terse-Operator';
const OPERATOR_VERSION = '1';

/** The header with the id of the deployed version that has executed a command. */
export const VERSION_HEADER = 'Terse-Version';

const COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  ...ACCOUNT_COMMANDS,
  ...BLOCKLIST_COMMANDS,
  ...BACKUP_COMMANDS,
  ...RESTORE_COMMANDS,
  ...STATISTICS_COMMANDS,
  ...LIMIT_COMMANDS,
  ...IMPORT_COMMANDS,
  ...LOG_COMMANDS,
  ...MAIL_COMMANDS,
};

/** The bindings that the surface uses. */
export type OperatorBindings = Pick<Env, 'DB' | 'LINKS' | 'OPERATOR_LIMIT' | 'VERSION'> & {
  readonly STATISTICS: Pick<Env['STATISTICS'], 'getByName'>;
  readonly LIMITS: Pick<Env['LIMITS'], 'getByName'>;
  /** Absent in a tool that works without a server. */
  readonly WEBHOOKS?: Env['WEBHOOKS'];
};

interface OperatorSettings {
  /** Verifies its tokens. */
  readonly verify: OperatorVerifier;
  /** Called with the outcome of each request. */
  readonly log: (request: ServedRequest) => void;
  readonly hash: Stores['hash'];
  readonly forget: Stores['forget'];
  readonly watch: Stores['watch'];
  readonly site: Stores['site'];
  readonly providers: Stores['providers'];
  /** True if the place of an object matters: not on one machine. */
  readonly placesObjects: boolean;
}

type OperatorSurface = (request: Request, env: OperatorBindings) => Promise<Response>;

/**
 * Creates the surface of one isolate. A request is checked in this order, the cheaper steps first: path and method, the
 * limit of its address, the token, whether the token was used here before, and the body. From the token on, its outcome is
 * in the operator's log.
 */
export function createOperator(settings: OperatorSettings): OperatorSurface {
  const { verify, log, hash, forget, watch, site, providers, placesObjects } = settings;
  const written = new RecentlySeen();

  async function run(name: string, request: Request, env: OperatorBindings): Promise<object> {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new AppError('not_found', 'There is nothing at this path.');
    if (request.method !== 'POST') {
      throw new AppError('method_not_allowed', `${request.method} is not possible here. Use POST.`, {
        allow: ['POST'],
      });
    }
    await limitRequests(env.OPERATOR_LIMIT, request);
    const token = await verify(readToken(request), new URL(request.url).host);
    const options = { timeoutMs: TIMEOUT_MS.backgroundDatabase, mayBeDone: UNCONFIRMED_WRITE };
    const db = openServiceDatabase(env.DB, { ...options, watch });
    const store = openServiceDatabase(env.DB, options);
    const [objects, limits] = [openObjects(env.STATISTICS), openLimits(env.LIMITS)];
    const events = env.WEBHOOKS ? openEventQueue(env.WEBHOOKS, new URL(request.url).origin) : NO_QUEUE;
    const place = (clientId: string) => (placesObjects ? placeStatistics(env.STATISTICS, clientId) : Promise.resolve());
    const logged = { command: name, keyThumbprint: token.keyThumbprint };
    const entry = new OperatorLogEntry(store, logged, written);
    const record = (subject: string) => entry.begin(subject);
    try {
      const base = { db, store, objects, limits, place, kv: env.LINKS, hash, forget, watch, site, providers, events };
      const response = await command({ ...base, record }, request);
      await entry.end(null);
      return response;
    } catch (cause) {
      await entry.end(cause);
      throw cause;
    }
  }

  return async (request, env) => {
    const startedAt = Date.now();
    const requestId = crypto.randomUUID();
    const { pathname } = new URL(request.url);
    const name = pathname.startsWith(OPERATOR_PATH) ? pathname.slice(OPERATOR_PATH.length) : '';
    const logOutcome = (failure: AppError | null) => {
      const command = Object.hasOwn(COMMANDS, name) ? name : null;
      log({ requestId, command, milliseconds: Date.now() - startedAt, failure });
    };
    try {
      const response = await run(name, request, env);
      logOutcome(null);
      return Response.json(response, { headers: { ...headersOf(requestId), [VERSION_HEADER]: env.VERSION.id } });
    } catch (cause) {
      const error = asAppError(cause);
      logOutcome(error);
      const headers = { ...headersOf(requestId), ...failureHeaders(error), ...challengeOf(error) };
      return Response.json(failureBody(error), { status: error.status, headers });
    }
  };
}

// No CORS headers: only the operator's tools send requests here, never pages in a browser.
function headersOf(requestId: string): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    [OPERATOR_HEADER]: OPERATOR_VERSION,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
}

/** RFC 6750, section 3. */
function challengeOf({ status, code }: AppError): Record<string, string> {
  if (status !== 401) return {};
  const error = code === 'missing_credential' ? '' : ', error="invalid_token"';
  return { 'WWW-Authenticate': `Bearer realm="terse operator"${error}` };
}

// If the limiter fails, the request passes, since a signature cannot be guessed.
async function limitRequests(binding: RateLimit, request: Request): Promise<void> {
  const isWithin = await openLimiter(binding)(callerAddress(request)).catch((cause: unknown) => {
    logProblem('operator_limiter_failed', cause);
    return true;
  });
  if (!isWithin) throw tooManyRequests('Too many requests from this address. Wait, then try again.');
}

// The scheme is case-insensitive (RFC 9110, section 11.1).
function readToken(request: Request): string {
  const given = request.headers.get('Authorization') ?? '';
  if (given.slice(0, 7).toLowerCase() === 'bearer ') return given.slice(7);
  throw new AppError(
    'missing_credential',
    'Only the operator’s tools can send requests here: see "npm run account -- --help".',
  );
}

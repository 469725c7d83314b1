import { setTimeout } from 'node:timers/promises';
import { hashPassword } from '../src/accounts/users/password.ts';
import { isLoopback } from '../src/network/hosts.ts';
import { openDatabase } from '../src/database/service-database.ts';
import { isRestoring, DatabaseWatch } from '../src/database/database-watch.ts';
import type { AppError } from '../src/errors.ts';
import { createOperator } from '../src/operator/operator.ts';
import { openOperatorVerifier } from '../src/tokens/operator.ts';
import { publicHalf } from '../src/secrets/jwks.ts';
import { migrateDatabase, withOperatorBindings } from './database.ts';
import { UsageError } from './cli-error.ts';
import { readLock, takeLock, type Lock } from './lock.ts';
import { ensureOperatorKey, localKeyFile, readOperatorKey } from './operator-key.ts';
import { openService, type Service } from './operator-service.ts';
import { deployedOrigins } from './deploy/origins.ts';
import { operatorKeyFile } from './deploy/secrets.ts';
import { readProviders, readPublicOrigin, readSite } from './settings.ts';
import { readLastOrigin } from './state.ts';

/** The location of the service that a tool works with. */
export interface ServiceLocation {
  readonly remote: boolean;
  /** The folder given to `npm start -- --persist-to`, or its default. */
  readonly persistTo: string;
  /** The origin of the deployed service; by default where it was last deployed from this folder. */
  readonly origin?: string | undefined;
  /** Null for production. */
  readonly environment: string | null;
}

/**
 * Works with the server that runs on a state, over HTTP. If none runs, this process takes the lock of the state and
 * runs the same surface itself. With --remote it works with the deployed service, over HTTPS.
 *
 * @param createsSchema whether to create or upgrade a local database if no server runs
 */
export async function withService<T>(
  location: ServiceLocation,
  work: (service: Service) => Promise<T>,
  { createsSchema = true } = {},
): Promise<T> {
  if (location.remote) {
    const origin = await deployedOrigin(location);
    const key = readOperatorKey(operatorKeyFile({ name: location.environment }), '"npm run deploy" creates it');
    return work(openService({ origin, key, send: fetch, isStarting: async () => false }));
  }
  const held = await holdOrFind(location.persistTo);
  if ('origin' in held) {
    const key = readOperatorKey(localKeyFile(location.persistTo), `restart the server at ${held.origin}`);
    const isStarting = async () => (await readLock(location.persistTo))?.origin === held.origin;
    return work(openService({ origin: held.origin, key, send: fetch, isStarting }));
  }
  try {
    const key = await ensureOperatorKey(localKeyFile(location.persistTo));
    return await withOperatorBindings(location.persistTo, async (env) => {
      if (createsSchema) await migrateDatabase(openDatabase(env.DB));
      let failure: AppError | null = null;
      const surface = createOperator({
        verify: openOperatorVerifier([publicHalf(key)]),
        log: (request) => (failure = request.failure),
        hash: async (password) => hashPassword(password),
        forget: () => {},
        watch: new DatabaseWatch(0),
        site: readSite(),
        providers: readProviders(),
        placesObjects: false,
      });
      const send = async (request: Request) => {
        const response = await surface(request, env);
        if (response.status >= 500 && !isRestoring(failure?.cause)) throw failure?.cause ?? failure;
        return response;
      };
      const service = openService({ origin: 'http://localhost', key, send, isStarting: async () => false });
      return work({ ...service, origin: readLastOrigin(location.persistTo) });
    });
  } finally {
    held.release();
  }
}

async function deployedOrigin({ origin: given, environment }: ServiceLocation): Promise<string> {
  const origin = given ?? deployedOrigins.read(environment) ?? (environment === null ? readPublicOrigin() : null);
  if (origin === null) {
    throw new UsageError(
      '--origin is missing, and nothing was deployed from this folder: give the origin of the service, --origin https://…',
    );
  }
  const url = new URL(origin);
  if (url.protocol === 'https:' || isLoopback(url)) return url.origin;
  throw new UsageError(`${origin} is not https: give an https origin, since requests carry a token.`);
}

const LOCK_TRIES = 150;
const LOCK_WAIT_MS = 200;

// Waits for another tool, which ends soon; if a server runs, it gets the requests.
async function holdOrFind(state: string): Promise<Lock | { readonly origin: string }> {
  for (let tries = 1; ; tries++) {
    const holder = await readLock(state);
    if (holder?.origin) return { origin: holder.origin };
    try {
      return await takeLock(state, null);
    } catch (error) {
      const isHeld = (await readLock(state)) !== null;
      if (tries === LOCK_TRIES || !isHeld) throw error;
      await setTimeout(LOCK_WAIT_MS);
    }
  }
}

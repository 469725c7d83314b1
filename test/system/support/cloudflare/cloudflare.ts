import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Response, type Request } from 'miniflare';
import { makeFolder } from '../../../scripts/support/processes.ts';
import type { Answer } from '../../../scripts/support/server.ts';
import { startApi } from './api.ts';
import { startBroker } from './broker.ts';
import { createAuthority } from './certificates.ts';
import { createClient, type Client } from './client.ts';
import { createTraffic, secretsOf } from './deployments.ts';
import { createEdge } from './edge.ts';
import { findTarget } from './hosts.ts';
import { startProxy } from './proxy.ts';
import { Failures, type Failure, type RecordedRequest, type Which } from './requests.ts';
import { allRoutes } from './routes/all.ts';
import { createRuntime } from './runtime.ts';
import { createAccount, createZone, type Account, type Script } from './state.ts';
import { createStores } from './stores.ts';
import { visit, type Visit } from './visitor.ts';

/**
 * A stub of Cloudflare on loopback that keeps state: the API by which Workers are deployed, and the Workers, which run
 * in workerd and are reached by HTTPS.
 */
export interface Cloudflare {
  /** The environment of a child: the API and its token, and the proxy by which `fetch` reaches the Workers. */
  readonly env: Readonly<Record<string, string>>;
  /** The first account. A test may read and change all of it. */
  readonly state: Account;
  readonly accounts: readonly Account[];
  /** Sends a request to the API from the test itself. */
  readonly call: Client;
  /** Every request to the API, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Requests to the API that the stub does not know, such as `GET /zones/1/settings`: a test expects none. */
  readonly unknown: readonly string[];
  /** Host names that were visited and that lead nowhere, such as `api.cloudflare.com`. */
  readonly strangers: readonly string[];
  /** Lets requests to the API fail: the n-th from now on (1 is the next one), or those that match. */
  failAt(which: Which, failure?: Failure): void;
  /** Lets a request to a Worker fail; such bodies are not recorded. Default: status 500, "error code: 1101". */
  failVisitAt(which: Which, failure?: Failure): void;
  /** One request by HTTPS, as a visitor sends it; follows nothing. Rejects if the TLS handshake fails. */
  visit(url: string, visit?: Visit): Promise<Answer>;
  /** The rows of one statement in a database of the first account, by its name. */
  rows(database: string, sql: string, ...params: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** The secrets of the latest version of a Worker, by name. */
  secrets(script: string): ReadonlyMap<string, string>;
  /** Calls the handler `scheduled` of a Worker. Returns `ok` or `exception`. */
  runCron(script: string, cron: string): Promise<string>;
  /** Resolves once no message that has a consumer waits or is being delivered; see `Broker.settled`. */
  queuesSettled(): Promise<void>;
  close(): Promise<void>;
}

export interface CloudflareOptions {
  /** Names of the accounts. Default: one. */
  readonly accounts?: readonly string[];
  /** The subdomain of workers.dev of the first account; null for none yet. Default: `example`. */
  readonly subdomain?: string | null;
  /** Names of the zones of the first account, such as `example.com`. Default: none. */
  readonly zones?: readonly string[];
  /** The number of TLS handshakes that fail with each new custom domain, before it has a certificate. Default: 0. */
  readonly handshakesToFail?: number;
  /** The number of requests that each deployment misses, and the one before it gets. Default: 0. */
  readonly rolloutVisits?: number;
  /** The address of all visitors, in `CF-Connecting-IP`. Default: `192.0.2.1`. */
  readonly visitor?: string;
  /** Answers what Workers fetch from hosts that the stub does not have. Default: as if the name were not found. */
  readonly internet?: (request: Request) => Promise<Response>;
}

/** Starts the stub. It ends with `close`. */
export async function startCloudflare(options: CloudflareOptions = {}): Promise<Cloudflare> {
  const { accounts: names = ['Example'], subdomain = 'example', zones = [], handshakesToFail = 0 } = options;
  const accounts = names.map((name, index) => createAccount(name, index === 0 ? subdomain : null));
  const [state = createAccount('Example', subdomain)] = accounts;
  state.zones.push(...zones.map(createZone));

  const stores = createStores();
  const authority = await createAuthority();
  const runtime = createRuntime({ stores, queues: () => broker.address, internet: fetchFromWorker });
  const traffic = createTraffic(options.rolloutVisits);
  const failures = new Failures();
  const edge = createEdge(accounts, { runtime, traffic, failures, visitor: options.visitor ?? '192.0.2.1' });
  const broker = await startBroker(accounts, async (account, name, queue, batch) => {
    const script = scriptOf(account, name);
    const version = traffic.choose(script);
    if (version === null) throw new Error(`The Worker ${name} has no version.`);
    return runtime.deliver(account, script, version, queue, batch);
  });
  const proxy = await startProxy(accounts, edge, authority);
  const api = await startApi(accounts, TOKEN, allRoutes(stores, runtime, broker, handshakesToFail));

  async function fetchFromWorker(request: Request): Promise<Response> {
    const { hostname } = new URL(request.url);
    if (findTarget(accounts, hostname) === null)
      return options.internet?.(request) ?? new Response('error code: 1016', { status: 530 });
    const { status, headers, body } = await visit(proxy.origin, authority.certificate, request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(request.body !== null && { body: await request.text() }),
    });
    const pairs = Object.entries(headers).flatMap(([name, value = []]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    return new Response(body, { status, headers: pairs });
  }

  const certificate = join(makeFolder(), 'authority.pem');
  writeFileSync(certificate, authority.certificate);
  const base = `${api.origin}/client/v4`;
  return {
    env: {
      CLOUDFLARE_API_BASE_URL: base,
      CLOUDFLARE_API_TOKEN: TOKEN,
      HTTPS_PROXY: proxy.origin,
      https_proxy: proxy.origin,
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: certificate,
      // wrangler remembers an account, which would be that of another stub.
      WRANGLER_CACHE_DIR: makeFolder(),
      // wrangler formats a warning of the proxy that it does not print, by esbuild: a thread for that is slow to start.
      ESBUILD_WORKER_THREADS: '0',
    },
    state,
    accounts,
    call: createClient(base, TOKEN, state.id),
    requests: api.requests,
    unknown: api.unknown,
    strangers: proxy.strangers,
    failAt: (which, failure = {}) => api.failures.plan(which, failure),
    failVisitAt: (which, failure = {}) => failures.plan(which, failure),
    visit: (url, init) => visit(proxy.origin, authority.certificate, url, init),

    async rows(name, sql, ...params) {
      const database = state.databases.find((each) => each.name === name);
      if (database === undefined) throw new Error(`There is no database ${name}.`);
      const [result] = await stores.query(database.uuid, [{ sql, params }]);
      return result?.results ?? [];
    },

    secrets: (name) => secretsOf(scriptOf(state, name).versions.at(-1)),

    async runCron(name, cron) {
      const script = scriptOf(state, name);
      const version = traffic.choose(script);
      if (version === null) throw new Error(`The Worker ${name} has no version.`);
      return runtime.trigger(state, script, version, cron);
    },

    queuesSettled: () => broker.settled(),

    async close() {
      await Promise.all([api.close(), proxy.close(), broker.close()]);
      await runtime.close();
      await stores.close();
    },
  };
}

const TOKEN = 'token-of-the-stub';

function scriptOf({ scripts }: Account, name: string): Script {
  const script = scripts.get(name);
  if (script === undefined) throw new Error(`There is no Worker ${name}.`);
  return script;
}

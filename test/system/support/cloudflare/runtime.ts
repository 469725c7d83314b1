import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type Json, type Request, type Response } from 'miniflare';
import { QUEUE_HEADER, type Outcome } from './broker.ts';
import { bindFar, type FarKind } from './plugin.ts';
import type { Account, Binding, Message, Module, Version } from './state.ts';
import { QUIET_MINIFLARE, STORE_HEADER, type Stores } from './stores.ts';

/** Runs versions of Workers, each in a workerd of its own, so that a new version does not disturb an old one. */
export interface Runtime {
  /** Starts a version, if it does not run, and returns its address, `http://127.0.0.1:PORT/`. Rejects with the reason. */
  start(account: Account, version: Version): Promise<string>;
  /** Calls the handler `queue` of a version. */
  deliver(account: Account, version: Version, queue: string, batch: readonly Message[]): Promise<Outcome>;
  /** Calls the handler `scheduled` of a version. Returns the outcome, `ok` or `exception`. */
  trigger(account: Account, version: Version, cron: string): Promise<string>;
  close(): Promise<void>;
}

export interface Surroundings {
  readonly stores: Stores;
  /** The address of the broker. */
  readonly queues: () => string;
  /** Answers what the Workers fetch. */
  readonly internet: (request: Request) => Promise<Response>;
}

export function createRuntime({ stores, queues, internet }: Surroundings): Runtime {
  const started = new Map<string, Promise<Miniflare>>();
  const ending: Promise<void>[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'stub-'));

  async function run(account: Account, version: Version): Promise<Miniflare> {
    const addresses = await stores.addresses();
    const address = { d1: addresses.d1, kv: addresses.kv, queue: queues() };
    const assets = version.assets === null ? undefined : writeAssets(join(folder, version.id), account, version);
    const options = convertV4MiniflareOptions({
      ...QUIET_MINIFLARE,
      workers: [
        {
          name: 'version',
          modules: version.modules.map(moduleOf),
          modulesRoot: '/',
          compatibilityDate: version.compatibility_date ?? PRESET_DATE,
          compatibilityFlags: [...version.compatibility_flags],
          bindings: Object.fromEntries(version.bindings.flatMap((binding) => variableOf(binding, version))),
          ratelimits: Object.fromEntries(version.bindings.flatMap(rateLimitOf)),
          unsafeBindings: version.bindings.flatMap((binding) => farOf(account, binding, address)),
          outboundService: internet,
          ...(assets !== undefined && { assets }),
        },
      ],
    });
    const miniflare = new Miniflare(options);
    await miniflare.ready;
    return miniflare;
  }

  // Each takes 80 MB. One that is ended here is started again by its next request.
  function endLeastUsed(): void {
    const [[id, least] = []] = started;
    if (id === undefined || least === undefined || started.size <= MOST_RUNNING) return;
    started.delete(id);
    ending.push(least.then((miniflare) => miniflare.dispose()).catch(() => {}));
  }

  function running(account: Account, version: Version): Promise<Miniflare> {
    const known = started.get(version.id);
    started.delete(version.id);
    const starting = known ?? run(account, version);
    // Last in the map, as the one that was used last.
    started.set(version.id, starting);
    if (known === undefined) {
      // The next request starts it again.
      starting.catch(() => started.delete(version.id));
      endLeastUsed();
    }
    return starting;
  }

  const worker = async (account: Account, version: Version) =>
    (await (await running(account, version)).getWorker()) as unknown as {
      queue(name: string, messages: readonly Message[]): Promise<Outcome>;
      scheduled(options: { cron: string }): Promise<{ outcome: string }>;
    };

  return {
    start: async (account, version) => (await (await running(account, version)).ready).href,
    deliver: async (account, version, queue, batch) => (await worker(account, version)).queue(queue, batch),
    trigger: async (account, version, cron) => (await (await worker(account, version)).scheduled({ cron })).outcome,

    async close() {
      const all = await Promise.allSettled(started.values());
      await Promise.all(all.flatMap((each) => (each.status === 'fulfilled' ? [each.value.dispose()] : [])));
      await Promise.all(ending);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const MOST_RUNNING = 6;

// Cloudflare's for uploads without a date.
const PRESET_DATE = '2021-11-02';

const MODULE_TYPES: Readonly<Record<string, 'ESModule' | 'CompiledWasm' | 'Data' | 'Text'>> = {
  'application/javascript+module': 'ESModule',
  'application/wasm': 'CompiledWasm',
  'application/octet-stream': 'Data',
  'text/plain': 'Text',
};

function moduleOf({ name, type, content }: Module) {
  const kind = MODULE_TYPES[type.replace(/;.*/, '')];
  if (kind === undefined) throw new Error(`The stub does not run modules of the type ${type}.`);
  const isText = kind === 'ESModule' || kind === 'Text';
  return { type: kind, path: `/${name}`, contents: isText ? content.toString() : new Uint8Array(content) };
}

function variableOf({ name, type, text, json }: Binding, { id, annotations, created_on }: Version): [string, Json][] {
  if (type === 'plain_text' || type === 'secret_text') return [[name, String(text)]];
  if (type === 'json') return [[name, json as Json]];
  const tag = annotations['workers/tag'] ?? '';
  return type === 'version_metadata' ? [[name, { id, tag, timestamp: created_on }]] : [];
}

function rateLimitOf({ name, type, namespace_id: namespace, simple }: Binding): [string, RateLimit][] {
  if (type !== 'ratelimit') return [];
  return [[name, { namespace_id: String(namespace), simple: simple as RateLimit['simple'] }]];
}

interface RateLimit {
  readonly namespace_id: string;
  readonly simple: { readonly limit: number; readonly period: 10 | 60 };
}

function farOf({ id }: Account, binding: Binding, addresses: Readonly<Record<FarKind, string>>) {
  const { name, type } = binding;
  const store = (value: unknown) => ({ name: STORE_HEADER, value: String(value) });
  if (type === 'd1') return [bindFar('d1', name, addresses.d1, store(binding['id']))];
  if (type === 'kv_namespace') return [bindFar('kv', name, addresses.kv, store(binding['namespace_id']))];
  if (type !== 'queue') return [];
  const queue = { name: QUEUE_HEADER, value: `${id}/${String(binding['queue_name'])}` };
  return [bindFar('queue', name, addresses.queue, queue)];
}

/** Writes the files of a version, as its asset server reads them. */
function writeAssets(folder: string, { assets }: Account, { assets: own, bindings }: Version) {
  const { run_worker_first: first, html_handling, not_found_handling, ...files } = own?.config ?? {};
  mkdirSync(folder, { recursive: true });
  for (const [path, hash] of own?.files ?? []) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, assets.get(hash)?.content ?? '');
  }
  // The rules of these files are sent as texts.
  for (const name of ['_headers', '_redirects']) {
    if (typeof files[name] === 'string') writeFileSync(join(folder, name), files[name]);
  }
  const binding = bindings.find(({ type }) => type === 'assets')?.name;
  return {
    directory: folder,
    routerConfig: { has_user_worker: true },
    assetConfig: {
      ...(html_handling !== undefined && { html_handling: html_handling as 'none' }),
      ...(not_found_handling !== undefined && { not_found_handling: not_found_handling as 'none' }),
    },
    ...(binding !== undefined && { binding }),
    ...(first !== undefined && { run_worker_first: first as boolean | string[] }),
  };
}

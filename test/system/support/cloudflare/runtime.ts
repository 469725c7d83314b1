import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type Request, type Response } from 'miniflare';
import type { Outcome } from './broker.ts';
import { createGroups } from './groups.ts';
import { classesOf } from './objects.ts';
import type { Message } from './queue-state.ts';
import type { Account, Script, Version } from './state.ts';
import { QUIET_MINIFLARE, type Stores } from './stores.ts';
import {
  dispatcherOf,
  farOf,
  MAIL_WORKER,
  nameIn,
  sendsMail,
  VERSION_HEADER,
  workerOf,
  writeAssets,
} from './worker.ts';

/**
 * Runs versions of Workers, each in a workerd of its own, so that a new version does not disturb an old one; those that
 * have Durable Objects in groups.
 */
export interface Runtime {
  /** Starts a version, if it does not run. Rejects with the reason. */
  start(account: Account, script: Script, version: Version): Promise<Address>;
  /** Checks whether an uploaded version starts, with no data of objects. Rejects with the reason if it does not. */
  check(account: Account, version: Version): Promise<void>;
  /** Calls the handler `queue` of a version. */
  deliver(
    account: Account,
    script: Script,
    version: Version,
    queue: string,
    batch: readonly Message[],
  ): Promise<Outcome>;
  /** Calls the handler `scheduled` of a version. Returns the outcome, `ok` or `exception`. */
  trigger(account: Account, script: Script, version: Version, cron: string): Promise<string>;
  close(): Promise<void>;
}

/** The address of a version. */
interface Address {
  /** `http://127.0.0.1:PORT/`. */
  readonly url: string;
  /** Headers that name the version, if others answer there as well. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Surroundings {
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
  const groups = createGroups((account, versions, name) => run(account, versions, join(folder, 'objects', name)));

  /** @param objects the folder for the data of Durable Objects */
  async function run(account: Account, versions: readonly Version[], objects?: string): Promise<Miniflare> {
    const addresses = await stores.addresses();
    const far = { d1: addresses.d1, kv: addresses.kv, queue: queues() };
    const workers = versions.map((version) => ({
      ...workerOf(version, versions),
      unsafeBindings: version.bindings.flatMap((binding) => farOf(account, binding, far)),
      outboundService: internet,
      ...(version.assets !== null && { assets: writeAssets(join(folder, version.id), account, version) }),
    }));
    const options = convertV4MiniflareOptions({
      ...QUIET_MINIFLARE,
      ...(objects !== undefined && { resourcePersistencePath: objects }),
      workers: [
        ...(versions.length > 1 ? [dispatcherOf(versions)] : []),
        ...workers,
        ...(versions.some(sendsMail) ? [{ ...MAIL_WORKER, outboundService: internet }] : []),
      ],
    });
    const miniflare = new Miniflare(options);
    await miniflare.ready;
    return miniflare;
  }

  // Each takes 80 MB. One that is ended here is started again by its next request.
  function endLeastUsed(): void {
    const [[id, least] = []] = started;
    if (id === undefined || least === undefined || started.size <= MAX_RUNNING) return;
    started.delete(id);
    ending.push(least.then((miniflare) => miniflare.dispose()).catch(() => {}));
  }

  function alone(account: Account, version: Version): Promise<Miniflare> {
    const known = started.get(version.id);
    started.delete(version.id);
    const starting = known ?? run(account, [version]);
    // Last in the map, as the one that was used last.
    started.set(version.id, starting);
    if (known === undefined) {
      // The next request starts it again.
      starting.catch(() => started.delete(version.id));
      endLeastUsed();
    }
    return starting;
  }

  async function running(account: Account, script: Script, version: Version) {
    if (!hasObjects(version)) return { miniflare: await alone(account, version), versions: [version] };
    const { miniflare, versions } = groups.of(account, script, version);
    return { miniflare: await miniflare, versions };
  }

  async function worker(account: Account, script: Script, version: Version): Promise<Handlers> {
    const { miniflare, versions } = await running(account, script, version);
    return (await miniflare.getWorker(nameIn(versions, version))) as unknown as Handlers;
  }

  return {
    async start(account, script, version) {
      const { miniflare, versions } = await running(account, script, version);
      const headers = versions.length > 1 ? { [VERSION_HEADER]: nameIn(versions, version) } : {};
      return { url: (await miniflare.ready).href, headers };
    },

    async check(account, version) {
      const start = startOf(version);
      if (!hasObjects(version)) await alone(account, version);
      else if (!checked.has(start)) await (await run(account, [version])).dispose();
      checked.add(start);
    },

    deliver: async (account, script, version, queue, batch) =>
      (await worker(account, script, version)).queue(queue, batch),
    trigger: async (account, script, version, cron) =>
      (await (await worker(account, script, version)).scheduled({ cron })).outcome,

    async close() {
      const all = await Promise.allSettled(started.values());
      await Promise.all(all.flatMap((each) => (each.status === 'fulfilled' ? [each.value.dispose()] : [])));
      await Promise.all([...ending, groups.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// What has started for one stub starts for another one, and most deploys upload the same.
const checked = new Set<string>();

interface Handlers {
  queue(name: string, messages: readonly Message[]): Promise<Outcome>;
  scheduled(options: { cron: string }): Promise<{ outcome: string }>;
}

/** A hash of what decides whether a version starts: its code, and which bindings it has, but not their values. */
function startOf({ modules, bindings, exports, assets, compatibility_date, compatibility_flags }: Version): string {
  const hash = createHash('sha256');
  for (const { name, type, content } of modules)
    hash.update(JSON.stringify([name, type, content.length])).update(content);
  const bound = bindings.map(({ name, type }) => [name, type]);
  return hash
    .update(JSON.stringify([bound, exports, assets?.config, compatibility_date, compatibility_flags]))
    .digest('hex');
}

const hasObjects = ({ exports }: Version): boolean => classesOf(exports).length > 0;

const MAX_RUNNING = 6;

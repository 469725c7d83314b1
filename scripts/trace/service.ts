import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { addUser, createKey } from '../../src/accounts/operator.ts';
import { openDatabase } from '../../src/database/service-database.ts';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { endWorkerdWithThis } from '../children.ts';
import { UsageError } from '../cli-error.ts';
import { migrateDatabase } from '../database.ts';
import { LOCAL_MINIFLARE, readyOrDisposed } from '../local-miniflare.ts';
import { readLocalOptions } from '../local-options.ts';
import { QUIET_WRANGLER } from '../wrangler.ts';
import { buildTraced } from './build.ts';
import type { TracedFunction } from './instrument.ts';
import type { Recording } from './recorder.ts';

/** A request to the traced service. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A service with an account, in workerd, whose functions report their calls. */
export interface TracedService {
  readonly functions: readonly TracedFunction[];
  readonly origin: string;
  readonly apiKey: string;
  /** Sends a request, and waits until its work after the response is done. Throws a `UsageError` for an error. */
  send(request: Request): Promise<Response>;
  /** `send` with a record of the request's way. */
  record(request: Request): Promise<Recording>;
  /** Counts the clicks that the queue was sent. */
  countClicks(): Promise<void>;
  end(): Promise<void>;
}

export const USER = { name: 'anna', password: 'a password of the trace' };
const CLIENT_ID = 'acme';

const SHOWN_CHARACTERS = 500;
const QUIET_CHECKS = 3;
const CHECK_MS = 10;

/** @param root the project's folder */
export async function startTraced(root: string): Promise<TracedService> {
  Object.assign(process.env, QUIET_WRANGLER);
  const folder = mkdtempSync(join(tmpdir(), 'terse-trace-'));
  const module = join(folder, 'worker.js');
  const functions = await buildTraced(root, module);
  const miniflare = await startWorkerd(root, folder, module);
  const callOff = endWorkerdWithThis();
  const db = openDatabase(await miniflare.getD1Database('DB'));
  await migrateDatabase(db);
  await addUser(db, { ...USER, clientId: CLIENT_ID });
  const key = await createKey(db, CLIENT_ID, 'trace');
  if (key === null) throw new Error('The account was not created.');
  const origin = (await miniflare.unsafeGetDirectURL()).origin;

  const control = async <Result>(name: string) => (await (await fetch(`${origin}/.trace/${name}`)).json()) as Result;

  const untilDone = async () => {
    for (let last = -1, quiet = 0; quiet < QUIET_CHECKS; await setTimeout(CHECK_MS)) {
      const { underWay, calls } = await control<{ underWay: number; calls: number }>('progress');
      quiet = underWay === 0 && calls === last ? quiet + 1 : 0;
      last = calls;
    }
  };

  const send = async ({ path, ...init }: Request) => {
    const response = await fetch(new URL(path, origin), { redirect: 'manual', ...init });
    // Read to its end, since it may be a stream.
    const body = await response.text();
    if (response.status >= 400)
      throw new UsageError(`${init.method} ${path} returned ${response.status}: ${body.slice(0, SHOWN_CHARACTERS)}`);
    await untilDone();
    return new Response(body === '' ? null : body, { status: response.status, headers: response.headers });
  };

  return {
    functions,
    origin,
    apiKey: key.text,
    send,
    record: async (request) => {
      await control('start');
      await send(request);
      return control<Recording>('stop');
    },
    countClicks: async () => {
      await control('consume');
      await untilDone();
    },
    end: async () => {
      await miniflare.dispose();
      callOff();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startWorkerd(root: string, folder: string, module: string): Promise<Miniflare> {
  const { name, worker } = await readLocalOptions(root);
  // Without assets, whose server is no code of ours, and with queues that deliver nothing by themselves.
  const { assets: _, queueConsumers: __, bindings, ...options } = worker as Record<string, unknown>;
  const settings = {
    TOKEN_KEYS: JSON.stringify([await generateTokenKey()]),
    // Its clock stands still, so that a second would never pass.
    CLICK_PACK_SECONDS: '0',
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...LOCAL_MINIFLARE,
      resourcePersistencePath: folder,
      log: new Log(LogLevel.WARN),
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error' || level === 'warn') console.error(message);
      },
      workers: [
        {
          ...options,
          name,
          bindings: { ...(bindings as object), ...settings },
          modules: [{ type: 'ESModule', path: module }],
          modulesRoot: '/',
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
        } as never,
      ],
    }),
  );
  await readyOrDisposed(miniflare);
  return miniflare;
}

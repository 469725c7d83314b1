import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { addUser, createKey } from '../src/accounts/operator.ts';
import { migrateDatabase, withDatabase } from '../scripts/database.ts';
import { freePort } from '../scripts/free-port.ts';
import { startWrangler } from '../scripts/wrangler.ts';

/** The Worker on real local stores, for `npm run bench:clicks`. */
export interface ClickService {
  readonly call: Call;
  /** The API key of each client, by its id. */
  readonly keys: ReadonlyMap<string, string>;
  /** Ends it, and returns how many messages the objects have counted. */
  end(): Promise<number>;
  /** Ends it, if that was not done, and removes its data. */
  remove(): Promise<void>;
}

type Call = (
  path: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Result>;

interface Result {
  readonly status: number;
  readonly text: string;
}

interface ClickServiceOptions {
  readonly main: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly clients: readonly string[];
  readonly connections: number;
  /** True if what it logs is shown. */
  readonly showsLog: boolean;
}

// Read before a state is opened, since that changes TMPDIR.
const TEMPORARY = tmpdir();

export async function startClickService(options: ClickServiceOptions): Promise<ClickService> {
  const persistTo = mkdtempSync(join(TEMPORARY, 'terse-clicks-'));
  const keys = await withDatabase(persistTo, async (db) => {
    await migrateDatabase(db);
    const found = new Map<string, string>();
    for (const clientId of options.clients) {
      await addUser(db, { name: clientId, password: 'bench', clientId });
      found.set(clientId, (await createKey(db, clientId, 'bench'))?.text ?? '');
    }
    return found;
  });
  const port = await freePort();
  const stop = await startWorker(options, port, persistTo);
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  return {
    call: caller(port, agent),
    keys,
    end: async () => {
      await stop();
      return countPacks(persistTo);
    },
    remove: async () => {
      agent.destroy();
      await stop();
      rmSync(persistTo, { recursive: true, force: true });
    },
  };
}

function caller(port: number, agent: Agent): Call {
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: 'localhost', port, path, method, headers, agent }, (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

/** A pack has the same mark in the objects of all its clients: in pairs with its hour until it is folded, then alone. */
function countPacks(persistTo: string): number {
  const files = readdirSync(persistTo, { recursive: true, encoding: 'utf8' });
  const marks = new Set<bigint>();
  for (const file of files.filter((name) => /ClientStatistics\/[0-9a-f]+\.sqlite$/.test(name))) {
    const database = new DatabaseSync(join(persistTo, file));
    const numbersOf = (table: string) =>
      database
        .prepare(`SELECT packs FROM ${table}`)
        .all()
        .flatMap(({ packs }) => [...new BigUint64Array(Uint8Array.from(packs as Uint8Array).buffer)]);
    for (const mark of numbersOf('seen_packs')) marks.add(mark);
    for (const [index, number] of numbersOf('deliveries').entries()) if (index % 2 === 1) marks.add(number);
    database.close();
  }
  return marks.size;
}

async function startWorker(
  { main, vars, showsLog }: ClickServiceOptions,
  port: number,
  persistTo: string,
): Promise<() => Promise<void>> {
  const options = ['--port', String(port), '--inspector-port', '0', '--persist-to', persistTo, '--log-level', 'error'];
  const settings = Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  // One module: `wrangler dev` gives its own bundle alone the Durable Objects.
  const server = startWrangler(['dev', main, '--bundle', ...options, ...settings], {
    stdio: ['ignore', 'ignore', showsLog ? 'inherit' : 'ignore'],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const call = caller(port, new Agent());
  for (let tries = 0; tries < 960 && server.exitCode === null; tries++) {
    const response = await call('/tokens/token_info').catch(() => null);
    if (response?.status === 401) {
      return async () => {
        server.kill('SIGTERM');
        await ended;
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  server.kill('SIGTERM');
  throw new Error('the Worker did not start');
}

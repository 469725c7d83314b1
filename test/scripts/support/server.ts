import type { ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { connect } from 'node:net';
import { ended, freePort, listen, livingOf, signal, startProcess, strangersEnv, until } from './processes.ts';
import { refuseAfterTimeout } from './scope.ts';

/** A service started the way its users start it, and what they do with it over HTTP. */

export interface Server {
  readonly port: number;
  /** The service's own origin, as it is printed. */
  readonly origin: string;
  /** All that was printed until now. */
  output(): string;
  /** All that was printed as errors until now. */
  errors(): string;
  /** Sends a signal to the program that was started and to nothing else; resolves when it and its output have ended. */
  end(name: NodeJS.Signals): Promise<void>;
  /** Sends a signal to the whole group, as a terminal does. */
  endAll(name: NodeJS.Signals): Promise<void>;
  /** The processes that still run. */
  living(): number[];
}

interface Start {
  readonly folder: string;
  readonly persistTo: string;
  /** Further options, or what makes them of the service's own origin. */
  readonly args?: readonly string[] | ((origin: string) => readonly string[]);
  /** The words before the options. */
  readonly command?: readonly [string, ...string[]];
}

/** Starts the service on a free port and waits until it answers. */
export async function startServer({
  folder,
  persistTo,
  args = [],
  command = ['npm', 'start', '--'],
}: Start): Promise<Server> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const more = typeof args === 'function' ? args(origin) : args;
  const [program, ...words] = command;
  const all = [...words, '--port', String(port), '--persist-to', persistTo, ...more];
  const child = startProcess(program, all, { cwd: folder, env: strangersEnv() });
  const [stdout, stderr] = [listen(child.stdout), listen(child.stderr)];
  const end = ended(child);
  // The account is printed last, after the server answers.
  await until('the service answers', () => child.exitCode !== null || stdout().includes(`Serving on ${origin}`));
  if (child.exitCode !== null) {
    await end;
    throw new Error(`The service ended at its start:\n${stdout()}\n${stderr()}`);
  }
  return {
    port,
    origin,
    output: stdout,
    errors: stderr,
    end: (name: NodeJS.Signals) => sendAndWait(child, end, () => child.kill(name)),
    endAll: (name: NodeJS.Signals) => sendAndWait(child, end, () => signal(child, name)),
    living: () => livingOf(child),
  };
}

async function sendAndWait(child: ChildProcess, end: Promise<unknown>, send: () => void): Promise<void> {
  send();
  await end;
  await until('nothing is left running', () => livingOf(child).length === 0);
}

/** True if a program takes connections on a port of this machine. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request with exactly these headers, `Host` among them; follows nothing. */
export function ask(url: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Answer> {
  refuseAfterTimeout();
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const text = listen(response);
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text() }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

export interface Tokens {
  readonly access_token: string;
  readonly detail: string;
  readonly local_id: string;
}

/** Asks for a token with a name and a password. */
export async function askForToken(origin: string, name: string, password: string): Promise<Answer> {
  const credentials = Buffer.from(`${name}:${password}`).toString('base64');
  return ask(`${origin}/tokens/create_token`, { headers: { Authorization: `Basic ${credentials}` } });
}

export interface LinkRecord {
  readonly id: string;
  readonly short_url: string;
  readonly url: string;
}

/** Makes a link with an API key. */
export async function makeLink(
  origin: string,
  apiKey: string,
  fields: Readonly<Record<string, string>>,
): Promise<LinkRecord> {
  refuseAfterTimeout();
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const response = await fetch(`${origin}/v1/links`, { method: 'POST', headers: { 'X-API-Key': apiKey }, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`create answered ${response.status} ${text}`);
  return JSON.parse(JSON.parse(text).result);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as requestPlain, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as requestSecure } from 'node:https';
import { type AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { freePort, listen, makeFolder, startProcess, until } from '../../scripts/support/processes.ts';
import { ROOT } from '../../scripts/support/project.ts';

/**
 * The proxies of docs/on-one-machine.md, with the configurations that are there: nginx and Caddy themselves where the
 * machine has them, and always stand-ins that do with the headers what the configurations say.
 */

const FOLDER = join(ROOT, 'docs/on-one-machine');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All of it, or of a stream what came first. */
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The loopback address of the visitor. */
  readonly from?: string;
}

export interface FrontProxy {
  /** Sends a request as a visitor does. Rejects if there is no connection, such as without a certificate for the host. */
  ask(host: string, path: string, sent?: Sent): Promise<Answer>;
  end(): void | Promise<void>;
}

/** Starts a proxy for the service at a port. */
type StartProxy = (port: number) => Promise<FrontProxy>;

const hasProgram = (name: string, args: readonly string[]) => spawnSync(name, args, { stdio: 'ignore' }).status === 0;

/** All proxies that this machine can run, by their names. */
export const PROXIES: readonly (readonly [name: string, start: StartProxy])[] = [
  ['a stand-in for nginx', (port) => startStandIn(port, nginxHeaders(read('nginx.conf')))],
  ['a stand-in for Caddy', (port) => startStandIn(port, caddyHeaders(read('Caddyfile')))],
  ...(hasProgram('nginx', ['-v']) ? [['nginx', startNginx] as const] : []),
  ...(hasProgram('caddy', ['version']) ? [['Caddy', startCaddy] as const] : []),
];

/** Returns the headers of a visitor that a proxy passes on. */
type Rewrite = (headers: IncomingHttpHeaders, remote: string) => OutgoingHttpHeaders;

/** Reads the lines `proxy_set_header`; a header with an empty value is not passed on. */
function nginxHeaders(config: string): Rewrite {
  const lines = [...config.matchAll(/^ *proxy_set_header (\S+) (\S+);$/gm)];
  return (headers, remote) => {
    const variables: Record<string, string> = { $host: headers.host ?? '', $remote_addr: remote, $scheme: 'https' };
    const passed: OutgoingHttpHeaders = { ...headers };
    for (const [, name = '', value = ''] of lines) {
      delete passed[name.toLowerCase()];
      if (value !== '""') passed[name] = variables[value] ?? value;
    }
    return passed;
  };
}

/** Sets what Caddy sets itself, without the lines `header_up -NAME`. */
function caddyHeaders(config: string): Rewrite {
  const removed = [...config.matchAll(/^\s*header_up -(\S+)$/gm)].map(([, name = '']) => name.toLowerCase());
  return (headers, remote) => {
    const passed: OutgoingHttpHeaders = {
      ...headers,
      'x-forwarded-for': remote,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': headers.host,
    };
    for (const name of removed) delete passed[name];
    return passed;
  };
}

async function startStandIn(port: number, rewrite: Rewrite): Promise<FrontProxy> {
  const server = createServer((incoming, response) => {
    const headers = rewrite(incoming.headers, incoming.socket.remoteAddress ?? '');
    const { method, url: path } = incoming;
    const outgoing = requestPlain({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = (server.address() as AddressInfo).port;
  return { ask: (host, path, sent) => send(requestPlain, at, host, path, sent), end: () => void server.close() };
}

async function startNginx(port: number): Promise<FrontProxy> {
  const [folder, http, https] = [makeFolder(), await freePort(), await freePort()];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'go.example.com' }]);
  writeFileSync(join(folder, 'fullchain.pem'), cert);
  writeFileSync(join(folder, 'privkey.pem'), key);
  const site = read('nginx.conf')
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${https} ssl default_server;`)
    .replaceAll('/etc/letsencrypt/live/go.example.com', folder)
    .replace('127.0.0.1:8787', `127.0.0.1:${port}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user} daemon off; pid ${folder}/nginx.pid; events {} http { access_log off; ${temporary.join(' ')}\n${site} }\n`,
  );
  const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  return runProxy('nginx', args, folder, https);
}

async function startCaddy(port: number): Promise<FrontProxy> {
  const [folder, http, https] = [makeFolder(), await freePort(), await freePort()];
  const options = [
    'admin off',
    // Certificates of its own authority, for which it asks as for all others.
    'local_certs',
    'skip_install_trust',
    `http_port ${http}`,
    `https_port ${https}`,
    `storage file_system ${folder}`,
  ];
  const config = read('Caddyfile')
    .replace('{\n', `{\n${options.map((option) => `\t${option}\n`).join('')}`)
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${port}`);
  writeFileSync(join(folder, 'Caddyfile'), config);
  return runProxy('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], folder, https);
}

async function runProxy(program: string, args: string[], folder: string, port: number): Promise<FrontProxy> {
  const child = startProcess(program, args, { cwd: folder, env: { ...process.env, HOME: folder } });
  child.stdout?.resume();
  child.stderr?.resume();
  const ask: FrontProxy['ask'] = (host, path, sent) => send(requestSecure, port, host, path, sent);
  const answers = () =>
    ask('go.example.com', '/health').then(
      () => true,
      () => false,
    );
  await until(`${program} answers`, () => child.exitCode !== null || answers());
  if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}.`);
  return { ask, end: () => void child.kill('SIGTERM') };
}

function send(
  request: typeof requestSecure,
  port: number,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Sent = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, localAddress: from, agent: false as const };
    const tls = { servername: host, rejectUnauthorized: false };
    const sent = request({ ...options, ...tls, headers: { Host: host, ...headers } }, (answer) => {
      const text = listen(answer);
      const done = () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text() });
      answer.once('error', reject);
      answer.once('end', done);
      if (answer.headers['content-type'] !== 'text/event-stream') return;
      answer.once('data', () => {
        done();
        sent.destroy();
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

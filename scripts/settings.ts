import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { parseConfig, type Config } from '../src/config/config.ts';
import { readOidc } from '../src/config/oidc-settings.ts';
import { ConfigError, readSchemes, SETTING_NAMES } from '../src/config/setting-values.ts';
import { readAccess } from '../src/config/sign-in-settings.ts';
import type { Site } from '../src/network/hosts.ts';
import { parseOperatorKeys, type OperatorKey } from '../src/secrets/jwks.ts';
import { DEFAULT_PERSIST_TO } from './database.ts';
import { UsageError } from './cli-error.ts';
import { readProject } from './deploy/project.ts';
import { readProxies } from './proxy-options.ts';

/** The options of `npm start`. */
interface StartOptions {
  readonly port: number;
  /** The address to listen on, such as `0.0.0.0`; null for the loopback addresses. */
  readonly ip: string | null;
  readonly persistTo: string;
  /** The ranges of the proxies whose headers are believed, in CIDR notation. */
  readonly trustedProxies: readonly string[];
  /** True if these proxies are reached through Cloudflare only. */
  readonly trustsCloudflare: boolean;
  /** The settings of `--var NAME:value`. */
  readonly vars: Readonly<Record<string, string>>;
}

/** Reads the arguments of `npm start`. Throws `UsageError`. */
export function readStartOptions(args: readonly string[], defaultPort: number): StartOptions {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      ip: { type: 'string' },
      'persist-to': { type: 'string' },
      'trust-proxy': { type: 'string', multiple: true },
      'trust-cloudflare-headers': { type: 'boolean' },
      var: { type: 'string', multiple: true },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options = tokens.filter((token) => token.kind === 'option');
  const unknown = options.find(({ name }) => !TAKEN.has(name));
  if (unknown) {
    throw new UsageError(
      `"npm start" does not take ${unknown.rawName}: it takes --port N, --ip ADDRESS, --persist-to DIR, ` +
        '--trust-proxy CIDR, --trust-cloudflare-headers and --var NAME:value.',
    );
  }
  const last = (name: string) => options.findLast((option) => option.name === name);
  return {
    port: readPort(last('port'), defaultPort),
    ip: readIp(last('ip')),
    persistTo: readFolder(last('persist-to')),
    ...readProxies(valuesOf(tokens, 'trust-proxy'), last('trust-cloudflare-headers')),
    vars: Object.fromEntries(valuesOf(tokens, 'var').map(readVar)),
  };
}

const TAKEN = new Set(['port', 'ip', 'persist-to', 'trust-proxy', 'trust-cloudflare-headers', 'var']);

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

// As with wrangler, `--var A:1 B:2` means `--var A:1 --var B:2`.
function valuesOf(tokens: readonly Token[], name: string): (string | undefined)[] {
  const values = [];
  let isOfOption = false;
  for (const token of tokens) {
    if (token.kind !== 'positional') isOfOption = token.kind === 'option' && token.name === name;
    if (isOfOption && token.kind !== 'option-terminator') values.push(token.value);
  }
  return values;
}

type OptionToken = { readonly value?: string | undefined } | undefined;

function readPort(option: OptionToken, preset: number): number {
  return option === undefined ? preset : parsePort(option.value ?? '');
}

/** Parses the value of `--port`. Throws `UsageError`. */
function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 1 && port <= 65535)) throw new UsageError('--port takes a number from 1 to 65535: --port 8788');
  return port;
}

function readIp(option: OptionToken): string | null {
  if (option === undefined) return null;
  if (isIP(option.value ?? '') === 0) throw new UsageError('--ip takes an IP address: --ip 0.0.0.0');
  return option.value ?? null;
}

function readFolder(option: OptionToken): string {
  if (option === undefined) return DEFAULT_PERSIST_TO;
  if (!option.value) throw new UsageError('--persist-to takes a folder: --persist-to ./state');
  return option.value;
}

function readVar(pair: string | undefined): [name: string, value: string] {
  const [, name, value] = /^(\w+):([^]*)$/.exec(pair ?? '') ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError('--var takes NAME:value: --var ACCESS_TOKEN_SECONDS:600');
  }
  if (!SETTING_NAMES.some((known) => known === name)) {
    console.error(`--var ${name}: Terse has no such setting. wrangler.toml explains all settings.`);
  }
  return [name, value];
}

/** The service's public origin in wrangler.toml, or null if it has none. */
export function readPublicOrigin(): string | null {
  const { PUBLIC_URL: url = '' } = readProject().vars;
  return URL.parse(url.trim())?.origin ?? null;
}

/** The site of a service that is not running, as wrangler.toml says. Throws `UsageError`. */
export function readSite(): Omit<Site, 'requestUrl'> {
  return readVars((vars) => ({ publicUrl: URL.parse(readPublicOrigin() ?? ''), schemes: readSchemes(vars) }));
}

/** The providers of a service that is not running, as wrangler.toml says. Throws `UsageError`. */
export function readProviders(): Pick<Config, 'serviceProvider' | 'access'> {
  return readVars((vars) => ({ serviceProvider: readOidc(vars), access: readAccess(vars) }));
}

function readVars<T>(read: (vars: ReturnType<typeof readProject>['vars']) => T): T {
  try {
    return read(readProject().vars);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(`wrangler.toml: ${error.message}`);
    throw error;
  }
}

/** The keys of further operators' tools in wrangler.toml. Throws `UsageError`. */
export function readOperatorKeys(): readonly OperatorKey[] {
  const { OPERATOR_KEYS: text = '' } = readProject().vars;
  const keys = text.trim() === '' ? [] : parseOperatorKeys(text);
  if (keys === null) throw new UsageError('wrangler.toml: OPERATOR_KEYS is not a JSON list of public Ed25519 JWKs.');
  return keys;
}

/** Refuses a text that is not an origin. Throws `UsageError`. */
export function checkOrigin(origin: string): void {
  const url = URL.parse(origin);
  if (url !== null && /^https?:$/.test(url.protocol) && origin.replace(/\/$/, '') === url.origin) return;
  throw new UsageError('--origin must be an http or https origin without a path, such as https://go.example.com.');
}

/** Checks the settings of the Worker, each source overriding the one before, and returns them. */
export function checkSettings(
  devVars: Readonly<Record<string, string>>,
  vars: Readonly<Record<string, string>>,
): Config {
  try {
    return parseConfig({ ...readProject().vars, ...devVars, ...vars });
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(settingFault(error, devVars, vars));
    throw error;
  }
}

function settingFault(
  { message }: ConfigError,
  devVars: Readonly<Record<string, string>>,
  vars: Readonly<Record<string, string>>,
): string {
  const name = message.split(' ', 1)[0] ?? '';
  if (Object.hasOwn(vars, name)) return message;
  if (name === 'TOKEN_KEYS') {
    return '.dev.vars: TOKEN_KEYS is not a JSON list of private Ed25519 JWKs; remove that line to create a new key.';
  }
  return Object.hasOwn(devVars, name) ? `.dev.vars: ${message}` : message;
}

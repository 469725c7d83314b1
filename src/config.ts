import * as z from 'zod';
import { parseSealingKeys, type SealingKey } from './sealing.ts';
import { parseTokenKeys, type TokenKey } from './tokens/keys.ts';
import { parseOperatorKeys, type OperatorKey } from './tokens/operator.ts';

/** The parsed settings of a Worker. Each is explained beside its default in wrangler.toml. */
export interface Config {
  /** The public origin, or null: then short links have the origin of the request. */
  readonly publicUrl: URL | null;
  /** Lifetime of access and API tokens, in seconds. */
  readonly accessTokenSeconds: number;
  readonly encode: EncodeSchedule;
  /** How long an isolate may answer from memory, in seconds; 0 is off. */
  readonly memorySeconds: number;
  /** How long an isolate relies on its last check that no restore is under way, in seconds. */
  readonly restoreCheckSeconds: number;
  /** How long an isolate under load gathers clicks before it sends them, in seconds; 0 sends each by itself. */
  readonly clickPackSeconds: number;
  /** For how many days at least click statistics can be filtered. */
  readonly statisticsDetailDays: number;
  /** The name of the queue whose messages failed several times. */
  readonly deadLetterQueue: string;
  /** The name of the queue of webhook deliveries. */
  readonly webhookQueue: string;
  /** The seconds before each attempt of a delivery, or null for the usual ones. */
  readonly webhookSchedule: readonly number[] | null;
  /** Whether webhooks can be sent to this machine, for tests and local runs. */
  readonly webhookLoopback: boolean;
  readonly createLimiting: boolean;
  /** The host name that custom domains are aliases of, or null for the service's own. */
  readonly domainTarget: string | null;
  /** The DNS resolver, by HTTPS (RFC 8484). */
  readonly dnsResolverUrl: URL;
  /** A filtering resolver for the hosts of new targets, or null. */
  readonly targetResolverUrl: URL | null;
  /**
   * The origin to which the checks of custom domains send requests, for tests and offline runs; null means the domain
   * itself.
   */
  readonly domainProbeUrl: URL | null;
  /** The zone of Cloudflare for SaaS that binds custom domains, or null if the operator binds them by hand. */
  readonly customHostnames: { readonly zoneId: string; readonly apiToken: string } | null;
  /** Whether successful API answers are logged too. */
  readonly accessLog: boolean;
  /** At least one; the first one signs, and all verify. */
  readonly tokenKeys: readonly TokenKey[];
  /** The public keys of the operator's tools; an empty list turns the operator's surface off. */
  readonly operatorKeys: readonly OperatorKey[];
  /** The first one encrypts the secrets of webhooks, and all decrypt them; an empty list allows no new secrets. */
  readonly webhookKeys: readonly SealingKey[];
}

/** The stages of retiring `/shortener/encode`, in seconds since the epoch; null if no date is set. */
export interface EncodeSchedule {
  readonly cutoffSeconds: number | null;
  readonly deprecatedAtSeconds: number | null;
  readonly sunsetSeconds: number | null;
}

/** A setting that cannot be used. The message is one sentence that names the setting and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Settings = Readonly<Record<string, unknown>>;

/** `MEMORY_SECONDS` if it is not set. */
export const DEFAULT_MEMORY_SECONDS = 30;
/** `STATISTICS_DETAIL_DAYS` if it is not set. */
export const DEFAULT_DETAIL_DAYS = 90;

/** The vars and secrets that `parseConfig` knows, for the tools that pass them on. */
export const SETTING_NAMES = [
  'PUBLIC_URL',
  'ACCESS_TOKEN_SECONDS',
  'ENCODE_CUTOFF',
  'ENCODE_DEPRECATED_AT',
  'ENCODE_SUNSET',
  'MEMORY_SECONDS',
  'RESTORE_CHECK_SECONDS',
  'CLICK_PACK_SECONDS',
  'STATISTICS_DETAIL_DAYS',
  'DEAD_LETTER_QUEUE',
  'WEBHOOK_QUEUE',
  'WEBHOOK_SCHEDULE',
  'CREATE_LIMITING',
  'ACCESS_LOG',
  'DOMAIN_TARGET',
  'DNS_RESOLVER_URL',
  'TARGET_RESOLVER_URL',
  'DOMAIN_PROBE_URL',
  'CF_ZONE_ID',
  'CF_API_TOKEN',
  'TOKEN_KEYS',
  'OPERATOR_KEYS',
  'WEBHOOK_KEYS',
  'WEBHOOK_LOOPBACK',
] as const;

type SettingName = (typeof SETTING_NAMES)[number];

/** Parses the Worker's vars and secrets. Throws `ConfigError` for the first that is malformed. */
export function parseConfig(settings: Settings): Config {
  return {
    publicUrl: readOrigin(settings, 'PUBLIC_URL'),
    accessTokenSeconds: readSeconds(settings, 'ACCESS_TOKEN_SECONDS', 60, 30 * 24 * 3600, 3600),
    encode: {
      cutoffSeconds: readInstant(settings, 'ENCODE_CUTOFF'),
      deprecatedAtSeconds: readInstant(settings, 'ENCODE_DEPRECATED_AT'),
      sunsetSeconds: readInstant(settings, 'ENCODE_SUNSET'),
    },
    memorySeconds: readSeconds(settings, 'MEMORY_SECONDS', 0, 3600, DEFAULT_MEMORY_SECONDS),
    restoreCheckSeconds: readSeconds(settings, 'RESTORE_CHECK_SECONDS', 0, 60, 5),
    clickPackSeconds: readSeconds(settings, 'CLICK_PACK_SECONDS', 0, 10, 1),
    statisticsDetailDays: readWhole(settings, 'STATISTICS_DETAIL_DAYS', 'days', 8, 3650, DEFAULT_DETAIL_DAYS),
    deadLetterQueue: readText(settings, 'DEAD_LETTER_QUEUE') || 'terse-clicks-dead',
    webhookQueue: readText(settings, 'WEBHOOK_QUEUE') || 'terse-webhooks',
    webhookSchedule: readSchedule(settings),
    webhookLoopback: readSwitch(settings, 'WEBHOOK_LOOPBACK', false),
    createLimiting: readSwitch(settings, 'CREATE_LIMITING', true),
    accessLog: readSwitch(settings, 'ACCESS_LOG', false),
    domainTarget: readHost(settings, 'DOMAIN_TARGET'),
    dnsResolverUrl: readResolver(settings, 'DNS_RESOLVER_URL') ?? new URL(DEFAULT_RESOLVER),
    targetResolverUrl: readResolver(settings, 'TARGET_RESOLVER_URL'),
    domainProbeUrl: readOrigin(settings, 'DOMAIN_PROBE_URL'),
    customHostnames: readCustomHostnames(settings),
    tokenKeys: readTokenKeys(settings),
    operatorKeys: readOperatorKeys(settings),
    webhookKeys: readWebhookKeys(settings),
  };
}

function readText(settings: Settings, name: SettingName): string {
  const value = settings[name] ?? '';
  if (typeof value !== 'string') throw new ConfigError(`${name} must be a text; put it in quotes.`);
  return value.trim();
}

function readOrigin(settings: Settings, name: SettingName): URL | null {
  const text = readText(settings, name);
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) {
    throw new ConfigError(`${name} must be an http or https origin without a path, such as https://go.example.com.`);
  }
  return url;
}

function readHost(settings: Settings, name: SettingName): string | null {
  const text = readText(settings, name).toLowerCase();
  if (text === '') return null;
  if (text.length > 253 || !/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text)) {
    throw new ConfigError(`${name} must be a host name, such as domains.example.com.`);
  }
  return text;
}

const DEFAULT_RESOLVER = 'https://cloudflare-dns.com/dns-query';

function readResolver(settings: Settings, name: SettingName): URL | null {
  const text = readText(settings, name);
  if (text === '') return null;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ConfigError(
      `${name} must be the http or https URL of a resolver (RFC 8484), such as ${DEFAULT_RESOLVER}.`,
    );
  }
  return url;
}

function readCustomHostnames(settings: Settings): Config['customHostnames'] {
  const [zoneId, apiToken] = [readText(settings, 'CF_ZONE_ID'), readText(settings, 'CF_API_TOKEN')];
  if (zoneId === '' && apiToken === '') return null;
  if (!/^[0-9a-f]{32}$/.test(zoneId)) {
    throw new ConfigError(
      'CF_ZONE_ID must be the 32 hexadecimal digits of a zone, and go with the secret CF_API_TOKEN.',
    );
  }
  if (!/^[!-~]+$/.test(apiToken)) {
    throw new ConfigError('CF_API_TOKEN must be an API token of Cloudflare, as CF_ZONE_ID is set.');
  }
  return { zoneId, apiToken };
}

function readSeconds(settings: Settings, name: SettingName, least: number, most: number, preset: number): number {
  return readWhole(settings, name, 'seconds', least, most, preset);
}

function readWhole(
  settings: Settings,
  name: SettingName,
  unit: string,
  least: number,
  most: number,
  preset: number,
): number {
  const text = readText(settings, name);
  if (text === '') return preset;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new ConfigError(`${name} must be a whole number of ${unit} from ${least} to ${most}.`);
  }
  return value;
}

// An instant needs an offset: without one it would be a different moment on each machine. The expression is that of
// `z.iso.datetime`, without its schema, since settings are read as the Worker loads.
const INSTANT = z.regexes.datetime({ offset: true });

function readInstant(settings: Settings, name: SettingName): number | null {
  const text = readText(settings, name);
  if (text === '') return null;
  if (!INSTANT.test(text)) {
    throw new ConfigError(`${name} must be an ISO 8601 instant such as 2027-01-01T00:00:00Z, or empty for never.`);
  }
  return Math.floor(Date.parse(text) / 1000);
}

const MOST_WAIT_SECONDS = 7 * 24 * 3600;

function readSchedule(settings: Settings): readonly number[] | null {
  const text = readText(settings, 'WEBHOOK_SCHEDULE');
  if (text === '') return null;
  const seconds = text.length <= 200 && /^\d+(?:,\d+)*$/.test(text) ? text.split(',').map(Number) : [];
  if (seconds.length === 0 || seconds.length > 20 || seconds.some((wait) => wait > MOST_WAIT_SECONDS)) {
    throw new ConfigError(
      'WEBHOOK_SCHEDULE must be 1 to 20 whole numbers of seconds from 0 to 604800 with commas between them, such as 0,5,300.',
    );
  }
  return seconds;
}

function readSwitch(settings: Settings, name: SettingName, preset: boolean): boolean {
  const text = readText(settings, name);
  if (text === '') return preset;
  if (text !== 'on' && text !== 'off') throw new ConfigError(`${name} must be "on" or "off".`);
  return text === 'on';
}

function readTokenKeys(settings: Settings): readonly TokenKey[] {
  const keys = parseTokenKeys(readText(settings, 'TOKEN_KEYS'));
  if (keys === null) {
    throw new ConfigError(
      'TOKEN_KEYS must be a JSON list of private Ed25519 JWKs; "npm run account -- signing-key" prints one.',
    );
  }
  return keys;
}

const readOperatorKeys = (settings: Settings) =>
  readKeys(settings, 'OPERATOR_KEYS', parseOperatorKeys, OPERATOR_KEYS_RULE);
const readWebhookKeys = (settings: Settings) => readKeys(settings, 'WEBHOOK_KEYS', parseSealingKeys, WEBHOOK_KEYS_RULE);

const OPERATOR_KEYS_RULE =
  'a JSON list of public Ed25519 JWKs, without "d", or empty. "npm run deploy" adds its own key.';
const WEBHOOK_KEYS_RULE =
  'a JSON list of symmetric JWKs of 32 bytes, each with a "kid"; "npm run account -- webhook-key" prints one.';

function readKeys<Key>(
  settings: Settings,
  name: SettingName,
  parse: (text: string) => readonly Key[] | null,
  rule: string,
): readonly Key[] {
  const text = readText(settings, name);
  const keys = text === '' ? [] : parse(text);
  if (keys === null) throw new ConfigError(`${name} must be ${rule}`);
  return keys;
}

import { isForbiddenScheme, type Schemes } from '../network/schemes.ts';
import { isInstant } from '../time/instant.ts';

/** The parsers of the texts of settings. An empty one counts as absent. */

export type Settings = Readonly<Record<string, unknown>>;

/** The vars and secrets that `parseConfig` knows, for the tools that pass them on. */
export const SETTING_NAMES = [
  'PUBLIC_URL',
  'ROOT_URL',
  'NOT_FOUND_URL',
  'BRAND_NAME',
  'BRAND_COLOUR',
  'DESTINATION_SCHEMES',
  'ACCESS_TOKEN_SECONDS',
  'ENCODE_CUTOFF',
  'ENCODE_DEPRECATED_AT',
  'ENCODE_SUNSET',
  'MEMORY_SECONDS',
  'RESTORE_CHECK_SECONDS',
  'CLICK_PACK_SECONDS',
  'CLICKS_DIRECT',
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
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_TENANTS',
  'ACCESS_TEAM',
  'ACCESS_AUDIENCE',
  'SIGN_IN_JOINS',
  'MAIL_FROM',
  'MAIL_URL',
  'MAIL_TOKEN',
  'MAIL_ORIGIN',
] as const;

export type SettingName = (typeof SETTING_NAMES)[number];

/** A setting that cannot be used. The message is one sentence that names the setting and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function readText(settings: Settings, name: SettingName): string {
  const value = settings[name] ?? '';
  if (typeof value !== 'string') throw new ConfigError(`${name} must be a text; put it in quotes.`);
  return value.trim();
}

export function readOrigin(settings: Settings, name: SettingName): URL | null {
  const text = readText(settings, name);
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) {
    throw new ConfigError(`${name} must be an http or https origin without a path, such as https://go.example.com.`);
  }
  return url;
}

/** Reads a page of another host than the service's own, to which visitors are redirected. */
export function readPage(settings: Settings, name: SettingName, publicUrl: URL | null): URL | null {
  const url = readUrl(settings, name, 'an http or https URL, such as https://www.example.com/links');
  if (url !== null && url.host === publicUrl?.host)
    throw new ConfigError(`${name} must lead to another host than PUBLIC_URL.`);
  return url;
}

/** Reads the schemes of destinations, without their colons. */
export function readSchemes(settings: Settings): Schemes {
  const names = readText(settings, 'DESTINATION_SCHEMES')
    .toLowerCase()
    .split(/[\s,]+/);
  const schemes = names.filter((name) => name !== '');
  for (const name of schemes) {
    if (name.length > 40 || !/^[a-z][a-z\d+.-]*$/.test(name)) {
      throw new ConfigError('DESTINATION_SCHEMES must be names of schemes, such as "mailto tel myapp".');
    }
    if (name === 'http' || name === 'https') {
      throw new ConfigError('DESTINATION_SCHEMES must not have http and https, which every destination may have.');
    }
    if (isForbiddenScheme(name)) {
      throw new ConfigError(
        `DESTINATION_SCHEMES must not have ${name}, which can run or read something on a visitor's device.`,
      );
    }
  }
  return new Set(schemes);
}

export function readHost(settings: Settings, name: SettingName): string | null {
  const text = readText(settings, name).toLowerCase();
  if (text === '') return null;
  if (text.length > 253 || !/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text)) {
    throw new ConfigError(`${name} must be a host name, such as domains.example.com.`);
  }
  return text;
}

export const DEFAULT_RESOLVER = 'https://cloudflare-dns.com/dns-query';

export function readResolver(settings: Settings, name: SettingName): URL | null {
  return readUrl(settings, name, `the http or https URL of a resolver (RFC 8484), such as ${DEFAULT_RESOLVER}`);
}

/** @param rule what it must be */
export function readUrl(settings: Settings, name: SettingName, rule: string): URL | null {
  const text = readText(settings, name);
  if (text === '') return null;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw new ConfigError(`${name} must be ${rule}.`);
}

export function readSeconds(
  settings: Settings,
  name: SettingName,
  least: number,
  most: number,
  preset: number,
): number {
  return readWhole(settings, name, 'seconds', least, most, preset);
}

export function readWhole(
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

export function readInstant(settings: Settings, name: SettingName): number | null {
  const text = readText(settings, name);
  if (text === '') return null;
  if (!isInstant(text)) {
    throw new ConfigError(`${name} must be an ISO 8601 instant such as 2027-01-01T00:00:00Z, or empty for never.`);
  }
  return Math.floor(Date.parse(text) / 1000);
}

const MAX_WAIT_SECONDS = 7 * 24 * 3600;

export function readSchedule(settings: Settings): readonly number[] | null {
  const text = readText(settings, 'WEBHOOK_SCHEDULE');
  if (text === '') return null;
  const seconds = text.length <= 200 && /^\d+(?:,\d+)*$/.test(text) ? text.split(',').map(Number) : [];
  if (seconds.length === 0 || seconds.length > 20 || seconds.some((wait) => wait > MAX_WAIT_SECONDS)) {
    throw new ConfigError(
      'WEBHOOK_SCHEDULE must be 1 to 20 whole numbers of seconds from 0 to 604800 with commas between them, such as 0,5,300.',
    );
  }
  return seconds;
}

export function readSwitch(settings: Settings, name: SettingName, preset: boolean): boolean {
  const text = readText(settings, name);
  if (text === '') return preset;
  if (text !== 'on' && text !== 'off') throw new ConfigError(`${name} must be "on" or "off".`);
  return text === 'on';
}

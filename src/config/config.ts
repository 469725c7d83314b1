import { readBrand, type Brand } from './brand.ts';
import { readMail, type MailSettings } from './mail.ts';
import {
  ConfigError,
  DEFAULT_RESOLVER,
  readHost,
  readInstant,
  readOrigin,
  readPage,
  readResolver,
  readSchedule,
  readSchemes,
  readSeconds,
  readSwitch,
  readText,
  readWhole,
  type SettingName,
  type Settings,
} from './setting-values.ts';
import { readOidc, type OidcSettings } from './oidc-settings.ts';
import { readAccess, readSignInJoins, type AccessSettings, type SignInJoins } from './sign-in-settings.ts';
import type { Schemes } from '../network/schemes.ts';
import { parseSealingKeys, type SealingKey } from '../secrets/sealing.ts';
import { parseTokenKeys, type TokenKey, parseOperatorKeys, type OperatorKey } from '../secrets/jwks.ts';

/** The parsed settings of a Worker. Each is explained beside its default in wrangler.toml. */
export interface Config {
  /** The public origin, or null: then short links have the origin of the request. */
  readonly publicUrl: URL | null;
  /** Where a browser is redirected from the root of the service's own host; null for a page about the service. */
  readonly rootUrl: URL | null;
  /** Where a browser is redirected from an address of the service's own host without a link; null for a 404 page. */
  readonly notFoundUrl: URL | null;
  readonly brand: Brand;
  /** The way in which mails are sent, or null: then none are. */
  readonly mail: MailSettings | null;
  /** The schemes that destinations may have beside http and https. */
  readonly destinationSchemes: Schemes;
  /** Lifetime of access and API tokens, in seconds. */
  readonly accessTokenSeconds: number;
  readonly encode: EncodeSchedule;
  /** The time that an isolate may serve from memory, in seconds; 0 is off. */
  readonly memorySeconds: number;
  /** The time for which an isolate relies on its last check that no restore is under way, in seconds. */
  readonly restoreCheckSeconds: number;
  /** The time for which a busy isolate gathers clicks before it sends them, in seconds; 0 sends each by itself. */
  readonly clickPackSeconds: number;
  /** True if all clicks go to the objects without the queue, which gets only those that fail: for one process. */
  readonly clicksDirect: boolean;
  /** For how many days at least click statistics can be filtered. */
  readonly statisticsDetailDays: number;
  /** The name of the queue whose messages failed several times. */
  readonly deadLetterQueue: string;
  /** The name of the queue of webhook deliveries. */
  readonly webhookQueue: string;
  /** The seconds before each attempt of a delivery, or null for the usual ones. */
  readonly webhookSchedule: readonly number[] | null;
  /** True if webhooks can be sent to this machine, for tests and local runs. */
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
  /** True if successful API answers are logged too. */
  readonly accessLog: boolean;
  /** At least one; the first one signs, and all verify. */
  readonly tokenKeys: readonly TokenKey[];
  /** The public keys of the operator's tools; an empty list turns the operator's surface off. */
  readonly operatorKeys: readonly OperatorKey[];
  /** The first one encrypts the secrets of webhooks, and all decrypt them; an empty list allows no new secrets. */
  readonly webhookKeys: readonly SealingKey[];
  /** The OpenID provider of the service, or null. */
  readonly serviceProvider: OidcSettings | null;
  /** The application of Cloudflare Access in front of the pages, or null. */
  readonly access: AccessSettings | null;
  /** The workspace that a new person of Cloudflare Access or of the service's provider joins, or null. */
  readonly signInJoins: SignInJoins | null;
}

/** The stages of retiring `/shortener/encode`, in seconds since the epoch; null if no date is set. */
export interface EncodeSchedule {
  readonly cutoffSeconds: number | null;
  readonly deprecatedAtSeconds: number | null;
  readonly sunsetSeconds: number | null;
}

/** `MEMORY_SECONDS` if it is not set. */
export const DEFAULT_MEMORY_SECONDS = 30;
/** `STATISTICS_DETAIL_DAYS` if it is not set. */
export const DEFAULT_DETAIL_DAYS = 90;

/** Parses the Worker's vars and secrets. Throws `ConfigError` for the first that is malformed. */
export function parseConfig(settings: Settings): Config {
  const publicUrl = readOrigin(settings, 'PUBLIC_URL');
  return {
    publicUrl,
    rootUrl: readPage(settings, 'ROOT_URL', publicUrl),
    notFoundUrl: readPage(settings, 'NOT_FOUND_URL', publicUrl),
    brand: readBrand(settings),
    mail: readMail(settings, publicUrl),
    destinationSchemes: readSchemes(settings),
    accessTokenSeconds: readSeconds(settings, 'ACCESS_TOKEN_SECONDS', 60, 30 * 24 * 3600, 3600),
    encode: {
      cutoffSeconds: readInstant(settings, 'ENCODE_CUTOFF'),
      deprecatedAtSeconds: readInstant(settings, 'ENCODE_DEPRECATED_AT'),
      sunsetSeconds: readInstant(settings, 'ENCODE_SUNSET'),
    },
    memorySeconds: readSeconds(settings, 'MEMORY_SECONDS', 0, 3600, DEFAULT_MEMORY_SECONDS),
    restoreCheckSeconds: readSeconds(settings, 'RESTORE_CHECK_SECONDS', 0, 60, 5),
    clickPackSeconds: readSeconds(settings, 'CLICK_PACK_SECONDS', 0, 10, 1),
    clicksDirect: readSwitch(settings, 'CLICKS_DIRECT', false),
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
    serviceProvider: readOidc(settings),
    access: readAccess(settings),
    signInJoins: readSignInJoins(settings),
  };
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

import type { Database } from '../../database/database.ts';
import { logProblem } from '../../isolate/log.ts';
import type { NearestDatabase } from '../../database/nearest-database.ts';
import { RecentlySeen } from '../../isolate/recently-seen.ts';
import { MissingAddresses } from './missing-addresses.ts';
import { keyOf, readCache, spellingKeyOf, writeCache } from './cache.ts';
import { CachePause } from './cache-pause.ts';
import { CacheChecks } from './checks.ts';
import { findLastKnown } from './last-known.ts';
import type { Address, FoundTarget, NoTarget, Target } from '../link.ts';
import { DatabaseOutage } from './database-outage.ts';
import { Memory } from './memory.ts';
import { InvalidatedHosts, invalidationKeyOf } from './invalidated-hosts.ts';
import { endingNow } from './ending.ts';
import { UsedUpLimits } from './used-up-limits.ts';
import { UnwrittenEntries } from './unwritten-entries.ts';
import { isUntrimmed } from './slug-path.ts';
import { findNearestTarget, findNoTarget, findTarget, type Found, type RequestedPath } from './target-store.ts';

/** The memory of an isolate between requests to find links quickly. */
export interface LinkMemory {
  /** By the stored slug. */
  readonly targets: Memory;
  /** The addresses for which this isolate has read the database. */
  readonly misses: RecentlySeen;
  readonly checks: CacheChecks;
  /** Addresses on custom domains that have no link. */
  readonly missing: MissingAddresses;
  readonly invalidated: InvalidatedHosts;
  readonly pause: CachePause;
  readonly outage: DatabaseOutage;
  /** Entries of KV that may be old. */
  readonly unwritten: UnwrittenEntries;
  /** Links whose clicks are all taken. */
  readonly usedUp: UsedUpLimits;
}

/** The three tiers, and a way to continue after the answer (`waitUntil`). */
export interface LinkTiers {
  readonly memory: LinkMemory;
  readonly kv: KVNamespace;
  /** The primary. */
  readonly db: Database;
  /** For a first look: a redirect that it finds may be old. */
  readonly nearest: NearestDatabase;
  readonly defer: (work: Promise<unknown>) => void;
}

// A second miss within a day makes a link hot: the lifetime of a KV entry.
const HOT_WITHIN_MS = 24 * 3600 * 1000;

/** @param memorySeconds how long a target may be answered from memory; 0 remembers none */
export function openLinkMemory(memorySeconds: number): LinkMemory {
  return {
    targets: new Memory(memorySeconds * 1000),
    misses: new RecentlySeen(),
    checks: new CacheChecks(),
    missing: new MissingAddresses(),
    invalidated: new InvalidatedHosts(),
    pause: new CachePause(),
    outage: new DatabaseOutage(),
    unwritten: new UnwrittenEntries(),
    usedUp: new UsedUpLimits(),
  };
}

/** The target at exactly this address in this isolate's memory, without reading a store. */
export function rememberedTarget(memory: LinkMemory, address: Address): Target | null {
  return memory.targets.find(keyOf(address));
}

/** The target of a path that is spelled otherwise than its link, in this isolate's memory. */
export function rememberedSpelling(
  memory: LinkMemory,
  path: Pick<RequestedPath, 'host' | 'pathname' | 'slug'>,
): FoundTarget | null {
  const slug = memory.targets.slugAt(spellingKeyOf(path));
  const target = slug === null ? null : rememberedTarget(memory, { host: path.host, slug });
  return target === null ? null : { slug: slug!, target, prefix: null };
}

/** The link that this isolate remembers for the beginning of a path, without reading a store. */
export function rememberedAbove(
  memory: LinkMemory,
  { host, prefixes }: Pick<RequestedPath, 'host' | 'prefixes'>,
): FoundTarget | null {
  for (const prefix of prefixes) {
    const target = rememberedTarget(memory, { host, slug: prefix.slug });
    const found =
      target === null
        ? rememberedSpelling(memory, { host, pathname: '', slug: prefix.slug })
        : { slug: prefix.slug, target };
    if (found?.target.extras?.forwardPath === true && isUntrimmed(prefix, found)) return { ...found, prefix };
  }
  return null;
}

/**
 * Finds the link of a path that memory does not have: in KV, then in the database. Only the database knows whether a
 * domain trims paths, so KV is not asked for a trimmed path of a domain. If the database does not respond, KV is read also
 * during a pause, and then what memory had. Throws `store_unavailable` if only the database could answer.
 */
export async function resolvePath(tiers: LinkTiers, path: RequestedPath): Promise<FoundTarget | NoTarget> {
  const { memory } = tiers;
  // Of the service's own host no missing address is remembered.
  const known = path.host === '' ? null : knownMissing(memory, path);
  if (known !== null) return known;
  const isKvRead = !memory.pause.isPossible || memory.pause.isOver;
  const cached = isKvRead ? await findCached(tiers, path) : null;
  if (cached !== null) return cached;
  try {
    return await findStored(tiers, path);
  } catch (cause) {
    memory.outage.noteFailure();
    const last = (isKvRead ? null : await findCached(tiers, path)) ?? findLastKnown(memory, path);
    if (last === null) throw cause;
    return last;
  }
}

async function findCached(tiers: LinkTiers, path: RequestedPath): Promise<FoundTarget | null> {
  const slug = path.slug ?? (path.host === '' ? path.trimmed : null);
  const target = slug === null ? null : await cachedTarget(tiers, { host: path.host, slug });
  return target === null ? null : spelledAs(tiers.memory, path, { slug: slug!, target, prefix: null });
}

async function findStored(tiers: LinkTiers, path: RequestedPath): Promise<FoundTarget | NoTarget> {
  const { memory, kv, defer } = tiers;
  const { host } = path;
  const generation = host === '' ? undefined : memory.missing.generation;
  const readAt = Date.now();
  const { found, isCurrent } = await findInDatabase(tiers, path);
  if (memory.outage.isPossible) memory.outage.end();
  if ('notFoundUrl' in found) {
    // A path that is no slug is no mistyped one either.
    const none = path.slug === null && path.trimmed === null ? { ...found, notFoundUrl: null } : found;
    const keys = found.isUntrimmed === true ? [missingKeyOf(path)] : missingKeysOf(path);
    if (generation !== undefined) for (const key of keys) memory.missing.add(key, none, generation);
    return none;
  }
  const address = { host, slug: found.slug };
  const key = keyOf(address);
  const target = memory.targets.remember(key, found.target);
  if (memory.misses.wasSeen(key, HOT_WITHIN_MS) && !isUnwritten(memory, address)) {
    if (isCurrent) defer(writeCache(kv, key, target, readAt));
    // KV must not have the old row of a replica: the check reads the primary after the answer, and fills KV.
    else memory.checks.add(tiers, { address, state: target, isInKv: false });
  }
  return spelledAs(memory, path, { ...found, target });
}

/** Remembers how the link of a path is spelled, if otherwise. */
function spelledAs(memory: LinkMemory, path: RequestedPath, found: FoundTarget): FoundTarget {
  const { slug } = found.prefix ?? path;
  if (slug !== found.slug) memory.targets.rememberSpelling(spellingKeyOf({ ...path, slug }), found.slug);
  return found;
}

/** Where a path without a link leads, if this isolate has read so lately. */
function knownMissing({ missing }: LinkMemory, path: RequestedPath): NoTarget | null {
  const whole = missing.find(missingKeyOf(path));
  return whole?.isUntrimmed === true ? whole : missing.findAll(missingKeysOf(path));
}

// All that a path can mean is missing together, where its domain trims paths.
function missingKeysOf(path: RequestedPath): string[] {
  const slugs = [path.slug, path.trimmed].filter((each) => each !== null);
  return slugs.length === 0 ? [missingKeyOf(path)] : slugs.map((slug) => keyOf({ host: path.host, slug }));
}

/** The key of a path as it is. */
function missingKeyOf({ host, pathname, slug, prefixes: [longest] }: RequestedPath): string {
  // No slug has this one, below those of the links that could pass the path on: a new one makes the service forget it.
  const none = longest === undefined ? pathname : `${longest.slug}/${longest.rest}`;
  return keyOf({ host, slug: slug ?? none });
}

/**
 * The target that KV has for an address; null if it has none, or one that may be old. It is checked against the database
 * after the answer.
 */
async function cachedTarget(tiers: LinkTiers, address: Address): Promise<Target | null> {
  const { memory, kv } = tiers;
  const cached = await readCache(kv, memory.pause, keyOf(address));
  if (cached === null) return null;
  await memory.unwritten.readFor(tiers.nearest, cached.at);
  if (isUnwritten(memory, address) || !(await memory.invalidated.isCurrent(kv, address.host, cached.at))) return null;
  memory.checks.add(tiers, { address, state: cached.target, isInKv: true });
  return memory.targets.remember(keyOf(address), cached.target);
}

// Only the cron writes such an entry to KV.
const isUnwritten = ({ unwritten }: LinkMemory, address: Address): boolean =>
  unwritten.has(keyOf(address)) || (address.host !== '' && unwritten.has(invalidationKeyOf(address.host)));

/** Where a custom domain redirects visitors who find no link; null if it does not. */
export async function noTargetOn({ memory, db }: LinkTiers, host: string): Promise<string | null> {
  // No link has an empty slug. Under the address itself it would hide a link that starts meanwhile.
  const key = keyOf({ host, slug: '' });
  const known = memory.missing.find(key);
  if (known !== null) return known.notFoundUrl;
  const { generation } = memory.missing;
  const found = await findNoTarget(db, host);
  memory.missing.add(key, found, generation);
  return found.notFoundUrl;
}

/**
 * Reads the nearest copy of the database. Its answer counts if it is a redirect; everything else is confirmed by the
 * primary: a new link must not be missing, and a link that works again must not stay ended, until a replica has it. A
 * path below links that could pass it on is read in the primary only.
 */
async function findInDatabase(tiers: LinkTiers, path: RequestedPath): Promise<Found> {
  try {
    if (path.prefixes.length === 0) {
      const near = await findNearestTarget(tiers.nearest, path);
      if (near.isCurrent || isRedirect(near.found)) return near;
    }
  } catch (cause) {
    logProblem('nearest_database_failed', cause);
  }
  return { found: await findTarget(tiers.db, path), isCurrent: true };
}

const isRedirect = (found: FoundTarget | NoTarget): boolean =>
  !('notFoundUrl' in found) && endingNow(found.target) === null && (found.target.extras?.startsAt ?? 0) <= Date.now();

/** Forgets what this isolate remembers of the addresses of new links. Other isolates find the links within a minute. */
export function forgetMissing({ missing, targets }: LinkMemory, links: readonly NewAddress[]): void {
  for (const { slug, aliases = [], customDomain: host } of links) {
    for (const each of [slug, ...aliases]) {
      const key = keyOf({ host: host ?? '', slug: each });
      targets.forgetSpellings(key);
      // Of the service's own host no missing address is remembered.
      if (host !== null) missing.forget(key);
    }
  }
}

interface NewAddress {
  readonly slug: string;
  readonly customDomain: string | null;
  readonly aliases?: readonly string[];
}

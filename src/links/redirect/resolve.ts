import type { Database } from '../../database/database.ts';
import { logProblem } from '../../isolate/log.ts';
import type { NearestDatabase } from '../../database/nearest-database.ts';
import { RecentlySeen } from '../../isolate/recently-seen.ts';
import { MissingAddresses } from './missing-addresses.ts';
import { keyOf, readCache, writeCache, type Cached } from './cache.ts';
import { CacheChecks } from './checks.ts';
import type { Address, NoTarget, Target } from '../link.ts';
import { Memory } from './memory.ts';
import { InvalidatedHosts, invalidationKeyOf } from './invalidated-hosts.ts';
import { endingNow } from './ending.ts';
import { UsedUpLimits } from './used-up-limits.ts';
import type { Prefix } from './slug-path.ts';
import { UnwrittenEntries } from './unwritten-entries.ts';
import { findAmong, findNearestTarget, findNoTarget, findTarget, type Found } from './target-store.ts';

/** The memory of an isolate between requests to find links quickly. */
export interface LinkMemory {
  readonly targets: Memory;
  /** The addresses for which this isolate has read the database. */
  readonly misses: RecentlySeen;
  readonly checks: CacheChecks;
  /** Addresses on custom domains that have no link. */
  readonly missing: MissingAddresses;
  readonly invalidated: InvalidatedHosts;
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
    unwritten: new UnwrittenEntries(),
    usedUp: new UsedUpLimits(),
  };
}

/** The target of an address in this isolate's memory, without reading a store. */
export function rememberedTarget(memory: LinkMemory, address: Address): Target | null {
  return memory.targets.find(keyOf(address));
}

/**
 * Finds the target of an address that memory does not have: in KV, then in the database. Throws `store_unavailable` if
 * only the database could answer.
 */
export async function resolveTarget(tiers: LinkTiers, address: Address): Promise<Target | NoTarget> {
  const key = keyOf(address);
  const { memory, kv, defer } = tiers;
  // Of the service's own host no missing address is remembered.
  const missing = address.host === '' ? null : memory.missing;
  const known = missing?.find(key) ?? null;
  if (known !== null) return known;
  const generation = missing?.generation;
  const entry = await readCache(kv, key);
  const cached = entry && (await currentTarget(tiers, address, entry));
  if (cached !== null) return cached;
  const readAt = Date.now();
  const { found, isCurrent } = await findInDatabase(tiers, address);
  if ('notFoundUrl' in found) {
    if (generation !== undefined) missing?.add(key, found, generation);
    return found;
  }
  const target = memory.targets.remember(key, found);
  if (memory.misses.wasSeen(key, HOT_WITHIN_MS) && !isUnwritten(memory, address)) {
    if (isCurrent) defer(writeCache(kv, key, target, readAt));
    // KV must not have the old row of a replica: the check reads the primary after the answer, and fills KV.
    else memory.checks.add(tiers, { address, state: target, isInKv: false });
  }
  return target;
}

/**
 * The target of what KV has for an address, or null if that may be old. It is checked against the database after the
 * answer.
 */
async function currentTarget(tiers: LinkTiers, address: Address, cached: Cached): Promise<Target | null> {
  const { memory, kv } = tiers;
  await memory.unwritten.readFor(tiers.nearest, cached.at);
  if (isUnwritten(memory, address) || !(await memory.invalidated.isCurrent(kv, address.host, cached.at))) return null;
  memory.checks.add(tiers, { address, state: cached.target, isInKv: true });
  return memory.targets.remember(keyOf(address), cached.target);
}

// Only the cron writes such an entry to KV.
const isUnwritten = ({ unwritten }: LinkMemory, address: Address): boolean =>
  unwritten.has(keyOf(address)) || (address.host !== '' && unwritten.has(invalidationKeyOf(address.host)));

/** A path on a custom domain that has several segments. */
interface LongPath {
  readonly host: string;
  readonly pathname: string;
  /** The slug of the whole path; null if it can be none. */
  readonly slug: string | null;
  readonly prefixes: readonly Prefix[];
}

/** A target, and the part of the path that follows the slug of a link that passes paths on. */
export interface FoundOnPath {
  readonly target: Target;
  /** Null if the link is that of the whole path. */
  readonly prefix: Prefix | null;
}

/** The link that this isolate remembers for the beginning of a path, without reading a store. */
export function rememberedAbove(memory: LinkMemory, { host, prefixes }: LongPath): FoundOnPath | null {
  for (const prefix of prefixes) {
    const target = memory.targets.find(keyOf({ host, slug: prefix.slug }));
    if (target?.extras?.forwardPath === true) return { target, prefix };
  }
  return null;
}

/** Like `resolveTarget`, for a path of several segments that memory does not have: KV is asked for the whole path only. */
export async function resolveLongPath(tiers: LinkTiers, path: LongPath): Promise<FoundOnPath | NoTarget> {
  const { memory, kv } = tiers;
  const { host, slug, prefixes } = path;
  const key = keyOf({ host, slug: slug ?? noSlugOf(path) });
  const known = memory.missing.find(key);
  if (known !== null) return known;
  const { generation } = memory.missing;
  const entry = slug === null ? null : await readCache(kv, key);
  const cached = entry && (await currentTarget(tiers, { host, slug: slug ?? '' }, entry));
  if (cached !== null) return { target: cached, prefix: null };
  const readAt = Date.now();
  const found = await findAmong(tiers.db, host, [slug, ...prefixes.map((prefix) => prefix.slug)]);
  if ('notFoundUrl' in found) {
    // A path that is no slug is no mistyped one either.
    const missing = slug === null ? { notFoundUrl: null } : found;
    memory.missing.add(key, missing, generation);
    return missing;
  }
  const address = { host, slug: found.slug };
  const target = memory.targets.remember(keyOf(address), found.target);
  if (memory.misses.wasSeen(keyOf(address), HOT_WITHIN_MS) && !isUnwritten(memory, address))
    tiers.defer(writeCache(kv, keyOf(address), target, readAt));
  const prefix = prefixes.find((each) => each.slug === found.slug && found.slug !== slug) ?? null;
  return { target, prefix };
}

// A key that no slug has, below those of the links that could pass the path on: a new one makes the service forget it.
function noSlugOf({ pathname, prefixes: [longest] }: LongPath): string {
  return longest === undefined ? pathname : `${longest.slug}/${longest.rest}`;
}

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
 * primary: a new link must not be missing, and a link that works again must not stay ended, until a replica has it.
 */
async function findInDatabase(tiers: LinkTiers, address: Address): Promise<Found> {
  try {
    const near = await findNearestTarget(tiers.nearest, address);
    if (near.isCurrent || isRedirect(near.found)) return near;
  } catch (cause) {
    logProblem('nearest_database_failed', cause);
  }
  return { found: await findTarget(tiers.db, address), isCurrent: true };
}

const isRedirect = (found: Target | NoTarget): boolean =>
  !('notFoundUrl' in found) && endingNow(found) === null && (found.extras?.startsAt ?? 0) <= Date.now();

/** Forgets what this isolate remembers of the addresses of new links. Other isolates find the links within a minute. */
export function forgetMissing({ missing }: LinkMemory, links: readonly NewAddress[]): void {
  for (const { slug, aliases = [], customDomain: host } of links) {
    // A generated slug cannot have been requested before.
    if (host === null || slug === null) continue;
    for (const each of [slug, ...aliases]) missing.forget(keyOf({ host, slug: each }));
  }
}

interface NewAddress {
  readonly slug: string | null;
  readonly customDomain: string | null;
  readonly aliases?: readonly string[];
}

import { authorize, selectAccess, type AccessRow, type Actor } from '../accounts/access.ts';
import { listPage } from '../accounts/list-page.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { refuseTypingErrors } from '../links/destinations/destinations.ts';
import { typingErrorIn } from '../links/destinations/typing-errors.ts';
import { blockedHost } from '../targets/blocklist.ts';
import type { TargetPolicy } from '../targets/policy.ts';
import { newHexId } from '../secrets/random-secrets.ts';
import { readPage, type Page } from '../input/pagination.ts';
import { selectBlocked, type BlockedRow } from './blocked-store.ts';
import type { AppLinkFile } from './app-links.ts';
import { selectAppLinks, selectServedFile, toAppLinks, type AppLinkRow } from './app-link-store.ts';
import type { Domain, DomainWithAppLinks } from './domain.ts';
import { toDomain, type DomainRow } from './domain-row.ts';
import { refuseTargetsOf } from '../targets/new-targets.ts';
import { circle, pagesOf, type DomainChange, type NewDomain } from './input.ts';
import { findRootUrl, findServing } from './serving-store.ts';
import {
  insertActiveDomain,
  insertDomain,
  selectDomain,
  selectDomains,
  selectForChange,
  selectConditions,
  selectInUse,
  updateDomain,
  type ChangedRow,
  type DomainInUseRow,
  type ConditionsRow,
} from './store.ts';

/** The most domains that a client may have. */
export const MAX_DOMAINS = 100;

/** True if links are served on a host that is not the service's own. Throws `store_unavailable`. */
export async function servesHost(db: Database, host: string): Promise<boolean> {
  return findServing(db, host);
}

/** Where the root of a custom domain leads, or null. Throws `store_unavailable`. */
export async function rootUrlOf(db: Database, host: string): Promise<string | null> {
  return findRootUrl(db, host);
}

/** The JSON text of a file of app links at a host, or null. Throws `store_unavailable`. */
export async function appLinkOf(db: Database, host: string, file: AppLinkFile): Promise<string | null> {
  const row = await db.first<AppLinkRow>(selectServedFile(host, file));
  return row?.body ?? null;
}

/**
 * Makes a host an active domain of a client, without proof, for the operator. Returns false if the client is unknown or
 * the host is served already.
 */
export async function addActiveDomain(db: Database, host: string, clientId: string): Promise<boolean> {
  const results = await db.batch<object[]>(insertActiveDomain(host, clientId, Date.now()));
  return results.flat().some((row) => 'domain_id' in row);
}

/**
 * Claims a host for the actor's client; others may claim it too. Throws `domain_taken`, `too_many_domains`, `blocked_host`,
 * and `own_host` where its URLs lead to a custom domain of this service.
 */
export async function addDomain(
  db: Database,
  actor: Actor,
  input: NewDomain,
  targetPolicy: TargetPolicy | null = null,
): Promise<Domain> {
  await refuseTargetsOf(db, actor, 'domains:write', targetPolicy, namedTargets(input));
  const now = Date.now();
  const [access, [inserted], , [conditions], [blocked]] = await db.batch<
    [AccessRow, DomainRow, never, ConditionsRow, BlockedRow]
  >([
    selectAccess(actor, 'domains:write', now),
    ...insertDomain(actor, { ...input, id: newHexId() }, { most: MAX_DOMAINS, now, permission: 'domains:write' }),
    selectConditions(actor, input, now),
    selectBlocked(input),
  ]);
  authorize(access, actor);
  if (inserted) return toDomain(inserted);
  if (conditions?.claim_id) {
    throw new AppError(
      'domain_taken',
      `This domain has already been added: its id is ${conditions.claim_id}. Use that one.`,
    );
  }
  if (conditions?.is_circle) throw circle(input);
  refuseBlocked(blocked);
  throw tooManyDomains();
}

export function tooManyDomains(): AppError {
  return new AppError(
    'too_many_domains',
    `The limit of ${MAX_DOMAINS} domains is reached. Remove one that is not used.`,
  );
}

const EVERY_DOMAIN = readPage({}, { limit: MAX_DOMAINS });

/**
 * Lists the domains of the actor's client, newest first; without a page, all of them. Throws what `authorize`
 * throws.
 */
export async function listDomains(
  db: Database,
  actor: Actor,
  page: Page = EVERY_DOMAIN,
): Promise<{ domains: readonly Domain[]; cursor: string | null }> {
  const { items: domains, cursor } = await listPage(db, actor, page, {
    permission: 'domains:read',
    select: (now) => selectDomains(actor, now, page),
    positionOf: (row: DomainRow) => [row.created_at, row.id],
    toItem: toDomain,
  });
  return { domains, cursor };
}

/** Throws `not_found` if none of the actor's clients has the domain. */
export async function getDomain(
  db: Database,
  actor: Actor,
  id: string,
  permission: 'domains:read' | 'domains:write' = 'domains:read',
): Promise<Domain> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, DomainRow]>([
    selectAccess(actor, permission, now),
    selectDomain(actor, permission, id, now),
  ]);
  authorize(access, actor, { several: permission === 'domains:read' });
  if (!row) throw domainNotFound();
  return toDomain(row);
}

/** A domain with its app links. Throws like `getDomain`. */
export async function getDomainWithAppLinks(db: Database, actor: Actor, id: string): Promise<DomainWithAppLinks> {
  const now = Date.now();
  const [access, [row], files] = await db.batch<[AccessRow, DomainRow, AppLinkRow]>([
    selectAccess(actor, 'domains:read', now),
    selectDomain(actor, 'domains:read', id, now),
    selectAppLinks(actor, 'domains:read', id, now),
  ]);
  authorize(access, actor, { several: true });
  if (!row) throw domainNotFound();
  return { ...toDomain(row), appLinks: toAppLinks(files) };
}

/** A domain, and how many links would be deleted with it. Throws like `getDomain`. */
export async function getDomainInUse(
  db: Database,
  actor: Actor,
  id: string,
): Promise<{ readonly domain: Domain; readonly links: number }> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, DomainInUseRow]>([
    selectAccess(actor, 'domains:write', now),
    selectInUse(actor, id, now),
  ]);
  authorize(access, actor);
  if (!row) throw domainNotFound();
  return { domain: toDomain(row), links: row.links };
}

/**
 * Changes where the root and unknown slugs lead, how slugs are spelled, and the app links. Throws `not_found`,
 * `blocked_host`, `own_host` if they lead to this domain or another one of this service, and `domain_in_use` if the
 * domain has links under the other rule.
 */
export async function changeDomain(
  db: Database,
  actor: Actor,
  id: string,
  change: DomainChange,
  targetPolicy: TargetPolicy | null = null,
): Promise<DomainWithAppLinks> {
  await refuseNewTypingErrors(db, actor, id, change);
  await refuseTargetsOf(db, actor, 'domains:write', targetPolicy, namedTargets(change));
  const now = Date.now();
  const [access, , , , [updated], [row], [blocked], files] = await db.batch<
    [AccessRow, never, never, never, DomainRow, ChangedRow, BlockedRow, AppLinkRow]
  >([
    selectAccess(actor, 'domains:write', now),
    ...updateDomain(actor, id, change, now),
    selectForChange(actor, id, now),
    selectBlocked(change),
    selectAppLinks(actor, 'domains:write', id, now),
  ]);
  authorize(access, actor);
  if (updated) return { ...toDomain(updated), appLinks: toAppLinks(files) };
  if (!row) throw domainNotFound();
  refuseBlocked(blocked);
  if (row.has_addresses && change.caseSensitive !== undefined && Number(change.caseSensitive) !== row.case_sensitive) {
    throw new AppError(
      'domain_in_use',
      'case_sensitive can be changed only before the domain has had its first link; deleted links count. Remove the domain and add it again, or use another one.',
    );
  }
  throw circle(change);
}

// What is stored already can be sent again.
async function refuseNewTypingErrors(db: Database, actor: Actor, id: string, change: DomainChange): Promise<void> {
  const pages = pagesOf(change);
  if (typingErrorIn(pages) === null) return;
  const { rootUrl, notFoundUrl } = await getDomain(db, actor, id, 'domains:write');
  const stored: Readonly<Record<string, string | null>> = { root_url: rootUrl, not_found_url: notFoundUrl };
  refuseTypingErrors(pages.filter(({ field, url }) => stored[field] !== url.href));
}

function refuseBlocked(row: BlockedRow | undefined): void {
  const field = row?.root_url ? 'root_url' : row?.not_found_url ? 'not_found_url' : null;
  if (field !== null) throw blockedHost(field);
}

export function domainNotFound(): AppError {
  return new AppError('not_found', 'There is no domain with this id that you can access.');
}

function namedTargets({ rootUrl, notFoundUrl }: DomainChange) {
  return { root_url: rootUrl, not_found_url: notFoundUrl };
}

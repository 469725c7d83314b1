import { ACTING, SOLE_CLIENT, actingParams, authorize, selectAccess } from '../accounts/access.ts';
import type { AccessRow, Actor } from '../accounts/access.ts';
import type { Permission } from '../accounts/scopes.ts';
import type { Database, Statement } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Site } from '../network/hosts.ts';
import type { NewDomains } from '../links/import/import.ts';
import { isSharedHost } from '../links/import/formats/table.ts';
import { newHexId } from '../secrets/random-secrets.ts';
import { isHostBlocked } from '../targets/blocklist.ts';
import type { Domain } from './domain.ts';
import { MAX_DOMAINS, tooManyDomains } from './domains.ts';
import { parseNewDomain, type NewDomain } from './input.ts';
import { COLUMNS, toDomain, type DomainRow } from './domain-row.ts';
import { insertDomain } from './store.ts';

/** A domain of a file that is not verified yet: the links of the file wait for it. */
export interface WaitedFor {
  readonly host: string;
  /** True if this import adds it, or would in a dry run. */
  readonly isNew: boolean;
  /** Null in a dry run that would add it, and for callers who may not see domains. */
  readonly domain: Domain | null;
}

/** The domains of a file. */
export interface FileDomains extends NewDomains {
  readonly pending: readonly WaitedFor[];
}

interface ClaimOptions {
  readonly dryRun: boolean;
  readonly byOperator?: boolean;
  readonly mayAdd?: (() => void) | undefined;
}

/**
 * Adds the domains of a file that the client does not have, as pending ones, as if the caller had added them: one round
 * trip, and one more to add them. A host that is not added has its error in `refused`. The operator adds domains for any
 * member. Throws `store_unavailable`, what `authorize` throws for an import, and what `mayAdd` throws.
 *
 * @param mayAdd refuses to add any, also in a dry run
 */
export async function claimFileDomains(
  db: Database,
  actor: Actor,
  hosts: readonly string[],
  site: Site,
  { dryRun, byOperator = false, mayAdd }: ClaimOptions,
): Promise<FileDomains> {
  const now = Date.now();
  const [access, toRead, toWrite, found] = await db.batch<[AccessRow, AccessRow, AccessRow, HostRow]>([
    selectAccess(actor, 'links:write', now),
    selectAccess(actor, 'domains:read', now),
    selectAccess(actor, 'domains:write', now),
    selectHosts(actor, hosts, now),
  ]);
  authorize(access, actor);
  const [sees, adds] = [toRead, toWrite].map(([row]) => byOperator || (row?.acting ?? 0) > 0);
  const refused = new Map<string, AppError>();
  const fresh: NewDomain[] = [];
  for (const row of found.filter(({ id }) => id === null)) {
    const isFull = row.domains + fresh.length >= MAX_DOMAINS;
    const refusal = isSharedHost(row.asked) ? ofService : adds ? (isFull ? tooManyDomains : null) : onlyOwners;
    const input = readHost(row, site);
    if (input instanceof AppError) refused.set(row.asked, input);
    else if (refusal !== null) refused.set(row.asked, refusal(row.asked));
    else fresh.push(input);
  }
  if (fresh.length > 0) mayAdd?.();
  const added = dryRun ? [] : await insertAll(db, actor, fresh, byOperator ? 'links:write' : 'domains:write');
  const known = found.filter(isDomain).filter(({ status }) => status === 'pending');
  return {
    refused,
    coming: new Set(dryRun ? fresh.map(({ host }) => host) : []),
    pending: [
      ...fresh.map(({ host }) => ({ host, isNew: true, domain: added.find((each) => each.host === host) ?? null })),
      ...known.map((row) => ({ host: row.host, isNew: false, domain: sees ? toDomain(row) : null })),
    ],
  };
}

interface AskedRow {
  readonly asked: string;
  readonly is_blocked: number;
  /** The number of domains of the client. */
  readonly domains: number;
}

type HostRow = AskedRow & (DomainRow | { readonly id: null });

const isDomain = (row: HostRow): row is AskedRow & DomainRow => row.id !== null;

function selectHosts(actor: Actor, hosts: readonly string[], now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT asked.value AS asked, ${isHostBlocked('asked.value')} AS is_blocked,
        (SELECT count(*) FROM domains d WHERE d.client_id = ${SOLE_CLIENT} AND d.removed_at IS NULL) AS domains,
        ${COLUMNS}
      FROM json_each(?8) AS asked
      LEFT JOIN domains ON client_id = ${SOLE_CLIENT} AND host = asked.value AND removed_at IS NULL
      ORDER BY asked.key`,
    params: [...actingParams(actor, 'links:write', now), JSON.stringify(hosts)],
  };
}

function readHost({ asked, is_blocked }: AskedRow, site: Site): NewDomain | AppError {
  if (is_blocked === 1) {
    return new AppError(
      'blocked_host',
      `custom_domain ${asked} is a host that the operator of this service has blocked.`,
    );
  }
  try {
    return parseNewDomain({ host: asked }, site);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const code = error.code === 'own_host' ? 'own_host' : 'invalid_custom_domain';
    return new AppError(code, `custom_domain cannot be added: ${error.message}`);
  }
}

function onlyOwners(host: string): AppError {
  return new AppError(
    'unknown_domain',
    `custom_domain ${host} is not one of your domains, and only an owner can add it. Ask an owner to add it first, ` +
      `or to import the file, or choose another host for its links, such as host=${host}:shared.`,
  );
}

function ofService(host: string): AppError {
  return new AppError(
    'unknown_domain',
    `${host} links cannot keep their domain, since it belongs to a link service. Choose another host for ` +
      `them, such as host=${host}:shared.`,
  );
}

async function insertAll(
  db: Database,
  actor: Actor,
  fresh: readonly NewDomain[],
  permission: Permission,
): Promise<Domain[]> {
  if (fresh.length === 0) return [];
  const now = Date.now();
  const results = await db.batch<DomainRow[]>(
    fresh.flatMap((input) => insertDomain(actor, { ...input, id: newHexId() }, { most: MAX_DOMAINS, now, permission })),
  );
  return results.flat().map(toDomain);
}

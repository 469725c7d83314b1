import { authorize, selectAccess, type AccessRow, type Actor } from '../accounts/access.ts';
import type { Database } from '../database/database.ts';
import { isPublicAddress } from './addresses.ts';
import type { AddressResolver, Resolver, ResolverCheck } from '../network/dns.ts';
import { txtRecordOf, type Domain } from './domain.ts';
import { domainNotFound, getDomain } from './domains.ts';
import type { DisabledRow } from '../links/domain-links-sql.ts';
import type { ProbeOutcome, Prober } from './probe.ts';
import { activateDomain, recordActivation, recordFailedCheck } from './proof-store.ts';
import { toDomain, type DomainRow } from './domain-row.ts';
import { selectDomain } from './store.ts';

/** The proof of a claim: the results for DNS and for the host itself. */
export interface Proof {
  readonly dns: 'ok' | 'other_value' | 'no_record' | 'no_such_name' | 'server_failure';
  readonly http: ProbeOutcome;
}

/** The two sources of a proof, and whether the resolver of the first one responds at all. */
export interface ProofSources {
  readonly resolve: Resolver;
  readonly resolveAddresses: AddressResolver;
  readonly probe: Prober;
  readonly checkResolver: ResolverCheck;
}

export function isProved({ dns, http }: Proof): boolean {
  return dns === 'ok' && http === 'ok';
}

/** Checks the proof of a claim, in DNS and at the host at once. Throws `resolver_unavailable`. */
export async function checkProof(sources: ProofSources, claim: Pick<Domain, 'host' | 'token'>): Promise<Proof> {
  const { name, value } = txtRecordOf(claim);
  const [response, http] = await Promise.all([sources.resolve(name), probePublic(sources, claim.host)]);
  if (typeof response === 'string') return { dns: response, http };
  if (response.some((text) => text.trim() === value)) return { dns: 'ok', http };
  return { dns: response.length > 0 ? 'other_value' : 'no_record', http };
}

// The caller chooses the name, which must not make this service send requests into a private network.
async function probePublic({ resolveAddresses, probe }: ProofSources, host: string): Promise<ProbeOutcome> {
  const addresses = await resolveAddresses(host);
  if (addresses === 'server_failure') return 'unreachable';
  return addresses.every(isPublicAddress) ? probe(host) : 'private_address';
}

interface Verified {
  readonly domain: Domain;
  readonly proof: Proof;
  readonly tookOver: boolean;
  readonly disabledLinks: number;
}

/**
 * Verifies a domain. If both proofs are found it becomes active, even if another domain has served its host. It takes
 * two round trips to the database, since the second one writes what DNS said. Throws `not_found`,
 * `resolver_unavailable`.
 *
 * @param ownHosts the service's own hosts
 * @returns the domain afterwards, the proof, whether another domain has lost the host, and how many links that waited
 *   for the domain were disabled, since they lead to a host of the service or to a blocked one
 */
export async function verifyDomain(
  db: Database,
  sources: ProofSources,
  actor: Actor,
  id: string,
  ownHosts: readonly string[],
): Promise<Verified> {
  const claim = await getDomain(db, actor, id, 'domains:write');
  const proof = await checkProof(sources, claim);
  const now = Date.now();
  const isFound = isProved(proof);
  const writes = isFound ? activateDomain(actor, claim, ownHosts, now) : [recordFailedCheck(actor, id, now)];
  const [access, ...results] = await db.batch<[AccessRow, ...Written[]]>([
    selectAccess(actor, 'domains:write', now),
    ...writes,
    selectDomain(actor, 'domains:write', id, now),
    ...(isFound ? [recordActivation(id, now)] : []),
  ]);
  authorize(access, actor);
  const written = results.flat();
  const rows = written.filter((each) => 'host' in each);
  const row = rows.find((each) => each.id === id);
  if (!row) throw domainNotFound();
  const domain = toDomain(row);
  // Another client verified the host at the same time, which gave this claim a new token.
  const found: Proof = domain.token === claim.token ? proof : { ...proof, dns: 'other_value' };
  return {
    domain,
    proof: found,
    tookOver: rows.some((each) => each.id !== id),
    disabledLinks: written.filter((each) => 'disabled_id' in each).length,
  };
}

/** The rows that the statements return: events have only an id. */
type Written = DomainRow | DisabledRow | { readonly id: string };

import type { SetUp } from '../domains/custom-hostnames.ts';
import type { AppLinks } from '../domains/app-links.ts';
import { txtRecordOf, type Domain, type DomainStatus, type DomainWithAppLinks } from '../domains/domain.ts';
import { isProved, type Proof } from '../domains/check-proof.ts';
import { toInstant } from '../time/instant.ts';

/** A custom domain as callers see it. Instants are ISO 8601, UTC. */
export interface DomainRecord {
  readonly id: string;
  readonly client_id: string;
  readonly host: string;
  readonly status: DomainStatus;
  readonly root_url: string | null;
  readonly not_found_url: string | null;
  readonly case_sensitive: boolean;
  readonly tolerant: boolean;
  readonly slug_length: number;
  readonly dns: { readonly txt: DnsRecord; readonly cname: DnsRecord };
  readonly created_at: string;
  readonly verified_at: string | null;
  readonly checked_at: string | null;
  /** Daily checks in a row that found no proof. */
  readonly failures: number;
  /** The next step, in words, or null. */
  readonly next: string | null;
}

interface DnsRecord {
  readonly name: string;
  readonly value: string;
}

/** The facts that the record needs besides the domain. */
interface Circumstances {
  /** The host name that customers' domains are aliases of. */
  readonly target: string;
  readonly setUp: SetUp;
  /** The result of a check in this request, if there was one. */
  readonly proof?: Proof;
}

export function toDomainRecord(domain: Domain, circumstances: Circumstances): DomainRecord {
  return {
    id: domain.id,
    client_id: domain.clientId,
    host: domain.host,
    status: domain.status,
    root_url: domain.rootUrl,
    not_found_url: domain.notFoundUrl,
    case_sensitive: domain.caseSensitive,
    tolerant: domain.tolerant,
    slug_length: domain.slugLength,
    dns: { txt: txtRecordOf(domain), cname: { name: domain.host, value: circumstances.target } },
    created_at: toInstant(domain.createdAt),
    verified_at: toInstant(domain.verifiedAt),
    checked_at: toInstant(domain.checkedAt),
    failures: domain.failures,
    next: nextFor(domain, circumstances),
  };
}

/** The record of one domain, with its app links: the text of each file as it is served, or null. */
export function toWholeDomainRecord(domain: DomainWithAppLinks, circumstances: Circumstances): DomainRecord & AppLinks {
  return { ...toDomainRecord(domain, circumstances), ...domain.appLinks };
}

/** The checks in the values that the API documents: a host that was not requested counts as unreachable. */
export function toChecks({ dns, http }: Proof) {
  return { dns, http: http === 'private_address' ? 'unreachable' : http };
}

function nextFor(domain: Domain, { target, setUp, proof }: Circumstances): string | null {
  const sentences =
    proof && !isProved(proof)
      ? [dnsAdvice(domain, proof), httpAdvice(domain, proof, target), proof.http !== 'ok' && hostAdvice(domain, setUp)]
      : [statusAdvice(domain, target), domain.status === 'pending' && hostAdvice(domain, setUp)];
  return sentences.filter(Boolean).join(' ') || null;
}

function statusAdvice(domain: Domain, target: string): string | null {
  const { name, value } = txtRecordOf(domain);
  const advice =
    `Set the TXT record ${name} to ${value} and the CNAME record ${domain.host} to ${target}, ` +
    `then call POST /v1/domains/${domain.id}/verify.`;
  if (domain.status === 'lost')
    return `Verification failed on three days: existing links keep working, new ones are refused. ${advice}`;
  if (domain.status === 'pending') {
    return domain.verifiedAt === null ? advice : `Another client has verified this domain since. ${advice}`;
  }
  return domain.failures > 0 ? `The last daily check failed. ${advice}` : null;
}

function dnsAdvice(domain: Domain, { dns }: Proof): string | null {
  const { name, value } = txtRecordOf(domain);
  const set = `Set it to ${value}; a new record can take up to an hour to become visible.`;
  const isMissing = `DNS failed: there is no TXT record ${name}. ${set}`;
  return {
    ok: null,
    no_such_name: isMissing,
    no_record: isMissing,
    other_value: `DNS failed: the TXT record ${name} has a different value. ${set}`,
    server_failure: `DNS failed: the name servers of ${domain.host} returned an error. Check the delegation and DNSSEC of the domain.`,
  }[dns];
}

function httpAdvice({ host }: Domain, { http }: Proof, target: string): string | null {
  const set = `Set the CNAME record ${host} to ${target}, without a proxy in front of it.`;
  return {
    ok: null,
    unreachable: `HTTP failed: https://${host} does not respond. ${set} A new certificate can take a few minutes.`,
    redirected: `HTTP failed: https://${host} redirects to another address. ${set}`,
    other_service: `HTTP failed: https://${host} is served by another service. ${set}`,
    private_address: `HTTP failed: ${host} resolves to a private IP address. ${set}`,
  }[http];
}

function hostAdvice({ host }: Domain, setUp: SetUp): string | null {
  return {
    automatic: null,
    refused: 'Cloudflare has not accepted the domain yet; verify it again to retry.',
    by_operator: `The operator of this service must also add the domain to the deployment: npm run deploy -- --domain ${host}`,
  }[setUp];
}

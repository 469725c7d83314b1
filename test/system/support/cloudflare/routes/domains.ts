import { jsonOf, scriptOf, type Call, type Routes } from '../call.ts';
import { ApiError } from '../envelope.ts';
import { createRecord, newId, newUuid, type Account, type DnsRecord, type Domain } from '../state.ts';
import { zoneOf } from './zones.ts';

/**
 * Custom domains: https://developers.cloudflare.com/api/resources/workers/subresources/domains/
 *
 * @param handshakesToFail how many TLS handshakes with a new domain fail before it has a certificate
 */
export function domainRoutes(handshakesToFail: number): Routes {
  return {
    'GET /accounts/:account/workers/domains': ({ account, query }) =>
      account.domains.filter(matching(query)).map(present),

    // Attaches one domain, and leaves the others.
    'PUT /accounts/:account/workers/domains': (call) => {
      const body = jsonOf(call) as Origin & Overrides & { service?: string };
      const service = body.service ?? '';
      if (!call.account.scripts.has(service)) {
        throw new ApiError(404, 10007, 'This Worker does not exist on your account.');
      }
      check(call.account, service, body, body);
      return present(attach(call.account, service, body));
    },

    'GET /accounts/:account/workers/domains/:domain': (call) => present(domainOf(call)),

    'DELETE /accounts/:account/workers/domains/:domain': (call) => {
      detach(call.account, domainOf(call));
      return null;
    },

    'GET /accounts/:account/workers/domains/records': ({ account, query }) =>
      account.domains.filter(matching(query)).map(present),

    'GET /accounts/:account/workers/domains/records/:domain': (call) => present(domainOf(call)),

    // What the next request would change.
    'POST /accounts/:account/workers/scripts/:script/domains/changeset': (call) => {
      const { account } = call;
      const { name } = scriptOf(call);
      const origins = jsonOf(call) as Origin[];
      const existing = (origin: Origin) => account.domains.find(({ hostname }) => hostname === origin.hostname);
      const added = origins.filter((origin) => existing(origin) === undefined);
      const updated = origins.flatMap((origin) => {
        const domain = existing(origin);
        return domain === undefined ? [] : [{ ...present(domain), modified: domain.service !== name }];
      });
      const wanted = added.map((origin) => ({ ...present(preview(account, name, origin)), id: '' }));
      return {
        added: wanted,
        updated,
        removed: removed(account, name, origins).map(present),
        conflicting: wanted.filter(({ hostname }) => foreignRecords(account, hostname).length > 0),
      };
    },

    // Replaces all domains of the Worker: those that are not named are detached, and their DNS records are deleted
    // (https://github.com/kentcdodds/kody/pull/1015).
    'PUT /accounts/:account/workers/scripts/:script/domains/records': (call) => {
      const { name } = scriptOf(call);
      const { origins, ...overrides } = jsonOf(call) as Overrides & { origins: Origin[] };
      for (const origin of origins) check(call.account, name, origin, overrides);
      for (const domain of removed(call.account, name, origins)) detach(call.account, domain);
      return origins.map((origin) => present(attach(call.account, name, origin)));
    },
  };

  function attach(account: Account, service: string, origin: Origin): Domain {
    const existing = account.domains.find(({ hostname }) => hostname === origin.hostname);
    if (existing !== undefined) return Object.assign(existing, { service });
    const domain = { ...preview(account, service, origin), handshakesToFail };
    account.domains.push(domain);
    // The record that Cloudflare creates, as DNS tools see it: https://github.com/DNSControl/dnscontrol/pull/4907
    zoneOf(account, domain.hostname).records.push({
      ...createRecord('AAAA', domain.hostname, '100::'),
      meta: { origin_worker_id: domain.id, read_only: true },
    });
    return domain;
  }
}

interface Origin {
  readonly hostname: string;
  readonly zone_id?: string;
  readonly zone_name?: string;
  readonly enabled?: boolean;
  readonly previews_enabled?: boolean;
}

interface Overrides {
  readonly override_existing_origin?: boolean;
  readonly override_existing_dns_record?: boolean;
}

function check(account: Account, service: string, { hostname, ...where }: Origin, overrides: Overrides): void {
  zoneOf(account, hostname, where);
  const existing = account.domains.find((each) => each.hostname === hostname);
  if (existing !== undefined && existing.service !== service && overrides.override_existing_origin !== true) {
    // https://github.com/alchemy-run/alchemy-async/pull/1384
    throw new ApiError(
      409,
      100_116,
      `Hostname '${hostname}' already in use by other custom domain. Either delete it, try a different hostname, or use the option 'override_existing_origin' to override.`,
    );
  }
  // The option `override_existing_dns_record` does not help here: it is for records of another Worker, as a maintainer
  // says in https://github.com/cloudflare/workers-sdk/issues/9878.
  if (existing === undefined && foreignRecords(account, hostname).length > 0) {
    // https://github.com/vm0-ai/vm0/pull/33406
    throw new ApiError(
      409,
      100_117,
      `Hostname '${hostname}' already has externally managed DNS records (A, CNAME, etc). Delete them first or try a different hostname.`,
    );
  }
}

/** Records that lead elsewhere: not those of a custom domain, and not those that say nothing of an address. */
function foreignRecords({ zones }: Account, hostname: string): DnsRecord[] {
  return zones
    .flatMap(({ records }) => records)
    .filter(({ name, type, meta }) => name === hostname && /^(A|AAAA|CNAME)$/.test(type) && !meta.read_only);
}

function removed({ domains }: Account, script: string, origins: readonly Origin[]): Domain[] {
  return domains.filter(
    ({ service, hostname }) => service === script && !origins.some((each) => each.hostname === hostname),
  );
}

function detach(account: Account, domain: Domain): void {
  account.domains.splice(account.domains.indexOf(domain), 1);
  const { records } = zoneOf(account, domain.hostname);
  const index = records.findIndex(({ meta }) => meta.origin_worker_id === domain.id);
  if (index >= 0) records.splice(index, 1);
}

function preview(account: Account, service: string, { hostname, ...origin }: Origin): Omit<Domain, 'handshakesToFail'> {
  const zone = zoneOf(account, hostname, origin);
  return {
    id: newId(),
    hostname,
    service,
    environment: 'production',
    zone_id: zone.id,
    zone_name: zone.name,
    cert_id: newUuid(),
    enabled: origin.enabled ?? true,
    previews_enabled: origin.previews_enabled ?? false,
  };
}

function present(domain: Domain | Omit<Domain, 'handshakesToFail'>): Omit<Domain, 'handshakesToFail'> {
  const { handshakesToFail: _, ...shown } = domain as Domain;
  return shown;
}

function domainOf({ account, params }: Call): Domain {
  const domain = account.domains.find(({ id }) => id === params['domain']);
  // https://github.com/alchemy-run/distilled, patches/workers/getDomain
  if (domain === undefined) throw new ApiError(404, 100_114, 'Domain not found.');
  return domain;
}

function matching(query: URLSearchParams): (domain: Domain) => boolean {
  const fields = ['hostname', 'service', 'zone_id', 'zone_name', 'environment'] as const;
  return (domain) => fields.every((field) => (query.get(field) ?? domain[field]) === domain[field]);
}

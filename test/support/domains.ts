import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { inject, vi } from 'vitest';
import type { DomainRecord } from '../../src/api/domain-record.ts';
import { bearerOf, seedCaller, type Caller } from './forms.ts';
import { rowsOf } from './seed.ts';
import { call, openIsolate, type Call } from './service.ts';
import type { DnsAnswer, ZoneEntry } from './zone.ts';

/** Custom domains: their endpoints, the DNS records that prove them, and the servers at their hosts. */

const settings = { DNS_RESOLVER_URL: inject('resolverUrl') };

/** An isolate that uses the resolver of the tests. */
export const openDomainIsolate = (more: Readonly<Record<string, string>> = {}): Call =>
  openIsolate({ ...settings, ...more });

/** The service with the resolver of the tests, in a new isolate each time, which remembers no links. */
export const ask: Call = (path, init) => openDomainIsolate()(path, init);

export interface RequestContext {
  readonly method?: string;
  readonly body?: unknown;
  readonly through?: Call;
}

/** Calls an endpoint with a caller's access token, and with JSON if there is a body. */
export function request(
  caller: Caller,
  path: string,
  { method, body, through = ask }: RequestContext = {},
): Promise<Response> {
  return through(path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...bearerOf(caller), ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A host name that no other test uses. */
export const newHost = (): string => `${nanoid(10).toLowerCase().replace(/[_-]/g, 'x')}.example`;

/** Adds a domain over HTTP. */
export async function seedClaim(caller: Caller, fields: Readonly<Record<string, unknown>> = {}): Promise<DomainRecord> {
  const response = await request(caller, '/v1/domains', { body: { host: newHost(), ...fields } });
  if (response.status !== 201) throw new Error(`adding answered ${response.status} ${await response.text()}`);
  return response.json();
}

/** The record of one domain, which has its app links besides the record of lists. */
export const whole = (record: DomainRecord) => ({ ...record, apple_app_site_association: null, asset_links: null });

/** Sets what the resolver answers for a name. */
export async function setDns(name: string, answer: DnsAnswer, resolverUrl = inject('resolverUrl')): Promise<void> {
  const entry: ZoneEntry = { name, answer };
  await fetch(resolverUrl, { method: 'PUT', body: JSON.stringify(entry) });
}

/** Sets the TXT records of some claims to one host, like their owners would. */
export function proveByDns(...claims: readonly DomainRecord[]): Promise<void> {
  return setDns(claims[0]?.dns.txt.name ?? '', { txt: claims.map(({ dns }) => dns.txt.value) });
}

type Server = (request: Request) => Response | Promise<Response>;

/** The host is a name of this service: every request to it arrives here. */
export const thisService: Server = ({ url }) => call(url);

/**
 * Until `vi.restoreAllMocks`, the Worker's requests to a host reach one of these servers, or fail; those to the
 * resolver are sent. Returns the requests.
 */
export function serveHosts(serverOf: (host: string) => Server | undefined = () => thisService): Request[] {
  const real = globalThis.fetch;
  const requests: Request[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { hostname, href } = new URL(request.url);
    if (href.startsWith(inject('resolverUrl'))) return real(request);
    requests.push(request);
    const server = serverOf(hostname);
    if (!server) throw new TypeError('fetch failed');
    return server(request);
  });
  return requests;
}

/** Verifies a domain, and returns the body of the answer. */
export async function verify(caller: Caller, { id }: DomainRecord): Promise<DomainRecord & { checks: object }> {
  const response = await request(caller, `/v1/domains/${id}/verify`, { method: 'POST' });
  if (response.status !== 200) throw new Error(`verifying answered ${response.status} ${await response.text()}`);
  return response.json();
}

/** A domain that its client has verified; `serveHosts` must be active. */
export async function seedProved(
  caller: Caller,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<DomainRecord> {
  const claim = await seedClaim(caller, fields);
  await proveByDns(claim);
  const domain = await verify(caller, claim);
  if (domain.status !== 'active') throw new Error(`the seed did not take: ${domain.next}`);
  return domain;
}

/** A caller who is a member of another caller's client. */
export async function seedMember(owner: Caller): Promise<Caller> {
  const member = await seedCaller();
  await env.DB.prepare("UPDATE members SET client_id = ?, role = 'member' WHERE user_id = ?")
    .bind(owner.clientId, member.userId)
    .run();
  return { ...member, clientId: owner.clientId };
}

/** The error for a domain that does not exist, or is another client's. */
export const NO_DOMAIN = 'not_found: There is no domain with this id that you can access.';

export const rowsOfHost = async (host: string) => (await rowsOf('domains')).filter((row) => row['host'] === host);

/** The audit log of a client, without what the operator has done. */
export const auditOf = async ({ clientId }: Caller) =>
  (await rowsOf('audit_entries'))
    .filter((row) => row['client_id'] === clientId && row['credential_kind'] !== 'operator')
    .map((row) => ({
      action: row['action'],
      id: row['subject_id'],
      name: row['subject_name'],
      details: row['details'] === null ? null : JSON.parse(row['details'] as string),
    }));

import type { Account, Domain, Script, Zone } from './state.ts';

/** The target of a host name. */
interface Target {
  readonly account: Account;
  /** Null if no Worker has this address. */
  readonly script: Script | null;
  /** The custom domain, if it is one. */
  readonly domain: Domain | null;
}

/**
 * Finds what a host name leads to; null if DNS has no record of it.
 *
 * @param path the path of a request, for routes; without it, any route for the host counts
 */
export function findTarget(accounts: readonly Account[], host: string, path?: string): Target | null {
  for (const account of accounts) {
    const target = findIn(account, host, path);
    if (target !== null) return target;
  }
  return null;
}

function findIn(account: Account, host: string, path: string | undefined): Target | null {
  const script = (name: string | undefined) => account.scripts.get(name ?? '') ?? null;
  const domain = account.domains.find(({ hostname }) => hostname === host);
  if (domain !== undefined) return { account, script: script(domain.service), domain };
  // A route needs a DNS record of its own: https://developers.cloudflare.com/workers/configuration/routing/routes/
  const zone = account.zones.find((each) => hasRecord(each, host));
  if (zone !== undefined) {
    const route = zone.routes.find(({ pattern }) => matches(pattern, host, path));
    return { account, script: script(route?.script), domain: null };
  }
  if (account.subdomain === null || !host.endsWith(`.${account.subdomain}.workers.dev`)) return null;
  const named = script(host.replace(/\..*/, ''));
  return { account, script: named?.workersDev.enabled === true ? named : null, domain: null };
}

function hasRecord({ records, name: zone }: Zone, host: string): boolean {
  return records.some(({ name }) => name === host || (name === `*.${zone}` && host.endsWith(`.${zone}`)));
}

function matches(pattern: string, host: string, path: string | undefined): boolean {
  const [, hosts = '', paths = ''] = /^([^/]*)(.*)$/.exec(pattern) ?? [];
  return wildcard(hosts).test(host) && (path === undefined || wildcard(paths).test(path));
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`);
}

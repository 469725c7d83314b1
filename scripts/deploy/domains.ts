import * as z from 'zod';
import { parseDomainName } from '../../src/network/hosts.ts';
import { UsageError } from '../cli-error.ts';
import type { Cloudflare } from './cloudflare.ts';
import { openEnvironmentFile } from './environment-file.ts';
import type { Inventory } from './inventory.ts';
import type { DeployOptions } from './options.ts';
import type { Environment } from './project.ts';
import type { Report } from './report.ts';

/** The domains that are bound to the Worker, and kept in `domains.json`: a list of hosts for each environment. */

const host = z.string().refine((text) => parseDomainName(text) === text, 'is not a host name');
const file = openEnvironmentFile(
  'domains.json',
  z.array(host),
  'domains.json must be like {"production": ["go.example.com"]}: correct it, then try again.',
);

/** The hosts of an environment. */
export interface Domains {
  /** The origin of short links, which is the first of `hosts`; null if it is none of them. */
  readonly own: string | null;
  readonly hosts: readonly string[];
  readonly dropped: readonly string[];
}

/**
 * Adds what is bound already, and what the options name. Throws `UsageError`.
 *
 * @param publicHost the host of the deployed `PUBLIC_URL`, which stays the first
 */
export function planDomains(
  { name }: Environment,
  bound: Inventory['domains'],
  publicHost: string | null,
  { domains, dropped }: Pick<DeployOptions, 'domains' | 'dropped'>,
): Domains {
  const isBound = (host: string | null) => bound.some((domain) => domain.host === host);
  const kept = (file.read(name) ?? []).filter((host) => !dropped.includes(host));
  // What was only bound by hand may be the domain of a customer.
  const own = kept[0] ?? (isBound(publicHost) ? publicHost : null) ?? domains[0] ?? null;
  const others = bound.map(({ host }) => host).filter((host) => !dropped.includes(host));
  const hosts = new Set([...(own === null ? [] : [own]), ...kept, ...domains, ...others.toSorted()]);
  return { own, hosts: [...hosts], dropped };
}

/** The host of an origin, such as a setting `PUBLIC_URL`; null if it is empty or no URL. */
export function hostOf(origin: string | undefined): string | null {
  return origin ? (URL.parse(origin)?.host ?? null) : null;
}

/** Keeps the hosts of an environment. */
export function keepDomains({ name }: Environment, { own, hosts }: Domains): void {
  // The first host of the file would become the origin of short links.
  if (own === null && (hosts.length > 0 || file.read(name) === undefined)) return;
  file.keep(name, [...hosts]);
}

/** Throws a `UsageError` if a host is in no zone of the account. */
export async function checkZones({ list }: Cloudflare, { hosts }: Domains): Promise<void> {
  const zone = z.looseObject({ name: z.string() });
  for (const host of hosts) {
    const labels = host.split('.');
    const names = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
    const found = await Promise.all(names.map((name) => list(`/zones?name=${name}`, zone)));
    if (found.flat().length > 0) continue;
    throw new UsageError(
      `${host} is in no zone of the account, and nothing was changed: add its zone to the account, or check the name.`,
    );
  }
}

const change = z.looseObject({
  hostname: z.string(),
  modified: z.boolean().optional(),
  service: z.string().optional(),
});
const changeset = z.looseObject({
  added: z.array(change).default([]),
  removed: z.array(change).default([]),
  updated: z.array(change).default([]),
  conflicting: z.array(change).default([]),
});

/** The replacements for a deploy's domains to which the operator has agreed. */
export interface Agreed {
  readonly replacesRecords: boolean;
  readonly replacesWorkers: boolean;
}

/**
 * Asks whether to replace the DNS records, and the domains of other Workers, that stand in the way. Throws a
 * `UsageError` if the answer is no, or without a terminal. The Worker must exist.
 */
export async function checkConflicts(
  { accountId, send }: Cloudflare,
  { worker }: Environment,
  { hosts, dropped }: Domains,
  ask: (question: string) => Promise<boolean>,
): Promise<Agreed> {
  if (hosts.length === 0) return { replacesRecords: false, replacesWorkers: false };
  const { removed, updated, conflicting } = await send(
    'POST',
    `/accounts/${accountId}/workers/scripts/${worker}/domains/changeset?replace_state=true`,
    hosts.map((hostname) => ({ hostname })),
    changeset,
  );
  const unasked = removed.find(({ hostname }) => !dropped.includes(hostname));
  if (unasked) throw new UsageError(`${unasked.hostname} was bound in the meantime: run the same command again.`);
  const others = updated.filter(({ modified }) => modified === true);
  const agree = async (names: readonly string[], what: string) => {
    if (names.length === 0) return false;
    if (await ask(`${names.join(', ')} ${what}. Replace that, so that the service answers there?`)) return true;
    throw new UsageError(
      `${names.join(', ')} ${what}, and was not bound: remove that, or run the command in a terminal and agree to replace it.`,
    );
  };
  return {
    replacesRecords: await agree(
      conflicting.map(({ hostname }) => hostname),
      'already has DNS records',
    ),
    replacesWorkers: await agree(
      others.map(({ hostname }) => hostname),
      'is bound to another Worker',
    ),
  };
}

/** Binds all hosts, and unbinds the dropped ones. */
export async function bindDomains(
  { accountId, send }: Cloudflare,
  { worker }: Environment,
  { hosts, dropped }: Domains,
  { replacesRecords, replacesWorkers }: Agreed,
  bound: Inventory['domains'],
  report: Report,
): Promise<void> {
  for (const { id, host } of bound.filter((domain) => dropped.includes(domain.host))) {
    await send('DELETE', `/accounts/${accountId}/workers/domains/${id}`, undefined, z.unknown());
    report.done(`domain ${host}`, 'unbound');
  }
  for (const host of dropped) {
    if (bound.every((domain) => domain.host !== host)) report.done(`domain ${host}`, 'is not bound');
  }
  const isBound = (host: string) => bound.some((domain) => domain.host === host);
  if (!hosts.every(isBound)) {
    const body = {
      override_scope: true,
      override_existing_origin: replacesWorkers,
      override_existing_dns_record: replacesRecords,
      origins: hosts.map((hostname) => ({ hostname })),
    };
    await send('PUT', `/accounts/${accountId}/workers/scripts/${worker}/domains/records`, body, z.unknown());
  }
  for (const host of hosts) report.done(`domain ${host}`, isBound(host) ? 'is bound' : 'bound');
}

import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { healthToolsOf } from '../../src/app/health-tools.ts';
import { openCore } from '../../src/app/core.ts';
import { servicesOf } from '../../src/app/services.ts';
import { parseConfig } from '../../src/config/config.ts';
import { checkDestinations, type HealthTools } from '../../src/links/health/pass.ts';
import { db } from './seed.ts';

/** The checks of destinations, with a resolver and web servers of this machine. */

export const DAY_MS = 24 * 3_600_000;

const settings = { WEBHOOK_LOOPBACK: 'on', DNS_RESOLVER_URL: inject('resolverUrl') };

/** Runs a pass with hosts of this machine allowed, and without a wait between two requests. */
export async function runPass(now = Date.now(), tools: Partial<HealthTools> = {}): Promise<void> {
  const services = servicesOf(openCore(parseConfig({ ...env, ...settings })));
  await checkDestinations(db, { ...healthToolsOf(services, db), paceMs: 0, ...tools }, now);
}

const INSTANTS: Readonly<Record<string, readonly string[]>> = {
  destination_checks: ['due_at', 'checked_at', 'failing_since', 'unhealthy_since', 'turned_at'],
  checked_hosts: ['due_at', 'not_before_at'],
  check_sweeps: ['begun_at', 'ended_at'],
};

/** Moves all instants of checks into the past. */
export async function pass(milliseconds: number): Promise<void> {
  await env.DB.batch(
    Object.entries(INSTANTS).map(([table, columns]) =>
      env.DB.prepare(`UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} - ?1`).join(', ')}`).bind(
        milliseconds,
      ),
    ),
  );
}

/** Runs a pass a day later. */
export async function nextDay(): Promise<void> {
  await pass(DAY_MS);
  await runPass();
}

/** Forgets all checks, so that a test begins without those of others. */
export async function forgetChecks(): Promise<void> {
  const tables = ['destination_checks', 'link_checks', 'checked_hosts', 'check_sweeps'];
  await env.DB.batch([
    ...tables.map((name) => env.DB.prepare(`DELETE FROM ${name}`)),
    env.DB.prepare('UPDATE links SET check_destination = NULL'),
  ]);
}

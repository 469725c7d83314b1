import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { logProblem } from '../isolate/log.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';

/**
 * Custom hostnames of Cloudflare for SaaS, by which Cloudflare accepts a customer's host and gets a certificate for it.
 * Source: https://developers.cloudflare.com/api/resources/custom_hostnames/
 */
export interface CustomHostnames {
  /** Creates the custom hostname, unless it exists. */
  add(host: string): Promise<void>;
  /** Removes the custom hostname, if it exists. */
  remove(host: string): Promise<void>;
}

/**
 * The way in which the host is bound: Cloudflare accepted it from this service, refused it for now, or the operator has
 * to bind it.
 */
export type SetUp = 'automatic' | 'refused' | 'by_operator';

const API = 'https://api.cloudflare.com/client/v4';
const DUPLICATE = 1406;

const envelope = lazy(() =>
  z.object({
    success: z.boolean(),
    errors: z.array(z.object({ code: z.number() })).default([]),
    result: z.unknown(),
  }),
);
const found = lazy(() => z.array(z.object({ id: z.string(), hostname: z.string() })));

/** @param apiToken needs the permission "SSL and Certificates: Edit" for the zone */
export function openCustomHostnames({ zoneId, apiToken }: { zoneId: string; apiToken: string }): CustomHostnames {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${API}/zones/${zoneId}/custom_hostnames${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS.customHostnames),
    });
    const { success, errors, result } = envelope().parse(await response.json());
    const codes = errors.map(({ code }) => code);
    if (success || codes.includes(DUPLICATE)) return result;
    throw new Error(`Cloudflare answered ${response.status} with the codes ${codes.join(', ')}`);
  };
  return {
    async add(host) {
      // With http validation Cloudflare proves the host itself once the CNAME is set; the customer has nothing more to
      // do.
      const ssl = { method: 'http', type: 'dv', settings: { min_tls_version: '1.2' } };
      await call('', { method: 'POST', body: JSON.stringify({ hostname: host, ssl }) });
    },
    async remove(host) {
      const list = found().parse(await call(`?hostname=${encodeURIComponent(host)}`));
      const ids = list.filter(({ hostname }) => hostname === host).map(({ id }) => id);
      await Promise.all(ids.map((id) => call(`/${encodeURIComponent(id)}`, { method: 'DELETE' })));
    },
  };
}

/** The way in which hosts are bound, as far as the settings say. */
export const usualSetUp = (hostnames: CustomHostnames | null): SetUp => (hostnames ? 'automatic' : 'by_operator');

/** Binds a host, if this service can. Never throws: verifying the domain tries again. */
export async function setUpHost(hostnames: CustomHostnames | null, host: string): Promise<SetUp> {
  if (hostnames === null) return 'by_operator';
  try {
    await hostnames.add(host);
    return 'automatic';
  } catch (cause) {
    logProblem('custom_hostname_not_made', cause, { host });
    return 'refused';
  }
}

/** Unbinds a host. Never throws: a remaining custom hostname serves nothing. */
export async function takeDownHost(hostnames: CustomHostnames | null, host: string): Promise<void> {
  await hostnames?.remove(host).catch((cause: unknown) => logProblem('custom_hostname_not_removed', cause, { host }));
}

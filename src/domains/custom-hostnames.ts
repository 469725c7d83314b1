import * as z from 'zod';
import { logProblem } from '../log.ts';
import { TIMEOUT_MS } from '../timeouts.ts';

/**
 * Custom hostnames of Cloudflare for SaaS: what makes Cloudflare take a customer's host in and get a certificate for it.
 * Source: https://developers.cloudflare.com/api/resources/custom_hostnames/
 */
export interface CustomHostnames {
  /** Makes the custom hostname, unless there is one. */
  add(host: string): Promise<void>;
  /** Removes the custom hostname, if there is one. */
  remove(host: string): Promise<void>;
}

/** Who takes a host in: Cloudflare did on our word, it refused for now, or the operator has to bind it by hand. */
export type SetUp = 'automatic' | 'refused' | 'by_operator';

const API = 'https://api.cloudflare.com/client/v4';
const DUPLICATE = 1406;

const answer = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number() })).default([]),
  result: z.unknown(),
});
const found = z.array(z.object({ id: z.string(), hostname: z.string() }));

/** @param apiToken needs the permission "SSL and Certificates: Edit" for the zone */
export function openCustomHostnames({ zoneId, apiToken }: { zoneId: string; apiToken: string }): CustomHostnames {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${API}/zones/${zoneId}/custom_hostnames${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS.customHostnames),
    });
    const { success, errors, result } = answer.parse(await response.json());
    const codes = errors.map(({ code }) => code);
    if (success || codes.includes(DUPLICATE)) return result;
    throw new Error(`Cloudflare answered ${response.status} with the codes ${codes.join(', ')}`);
  };
  return {
    async add(host) {
      // By http Cloudflare proves the host to itself once the CNAME is set; the customer has no more to do.
      const ssl = { method: 'http', type: 'dv', settings: { min_tls_version: '1.2' } };
      await call('', { method: 'POST', body: JSON.stringify({ hostname: host, ssl }) });
    },
    async remove(host) {
      const list = found.parse(await call(`?hostname=${encodeURIComponent(host)}`));
      const ids = list.filter(({ hostname }) => hostname === host).map(({ id }) => id);
      await Promise.all(ids.map((id) => call(`/${encodeURIComponent(id)}`, { method: 'DELETE' })));
    },
  };
}

/** Has a host taken in, if that is ours to do. Never throws: verifying tries again. */
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

/** Takes that back. Never throws: a custom hostname that is left over serves nobody. */
export async function takeDownHost(hostnames: CustomHostnames | null, host: string): Promise<void> {
  await hostnames?.remove(host).catch((cause: unknown) => logProblem('custom_hostname_not_removed', cause, { host }));
}

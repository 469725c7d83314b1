import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import { readUpTo } from '../bounds/read-up-to.ts';
import { hostnameOf } from '../network/hosts.ts';
import { newNonce } from '../secrets/random-secrets.ts';
import { PROOF_PATH, type HostProofs } from './host-proofs.ts';

/**
 * The result of a request to a host: this service, no answer, a redirect (which is not followed), another server, or no
 * request, since the address is outside the public internet.
 */
export type ProbeOutcome = 'ok' | 'unreachable' | 'redirected' | 'other_service' | 'private_address';

/** Checks which server answers at a host. Never throws. */
export type Prober = (host: string) => Promise<ProbeOutcome>;

const MAX_BYTES = 4096;

/**
 * @param probeUrl the origin to send the request to instead of the host, for tests and offline runs; null requests the
 * host by https
 */
export function openProber(proofs: HostProofs, probeUrl: URL | null): Prober {
  return async (host) => {
    const url = new URL(PROOF_PATH, probeUrl ?? `https://${host}`);
    const nonce = newNonce();
    url.searchParams.set('nonce', nonce);
    try {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { Accept: 'application/json', 'User-Agent': 'Terse domain check' },
        signal: AbortSignal.timeout(TIMEOUT_MS.domainProof),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return outcomeOf(response.status);
      }
      const proof = proofIn(await readUpTo(response, MAX_BYTES));
      return proof !== null && proofs.holds(hostnameOf(url), nonce, proof) ? 'ok' : 'other_service';
    } catch {
      return 'unreachable';
    }
  };
}

// If a host cannot be reached, Cloudflare itself answers with a status from 520 on.
function outcomeOf(status: number): ProbeOutcome {
  if (status >= 300 && status < 400) return 'redirected';
  return status >= 520 ? 'unreachable' : 'other_service';
}

const proofBody = lazy(() => z.object({ proof: z.string() }));

function proofIn(body: Buffer | null): string | null {
  try {
    return proofBody().parse(JSON.parse(body?.toString() ?? '')).proof;
  } catch {
    return null;
  }
}

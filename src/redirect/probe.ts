import { hostnameOf } from '../network/hosts.ts';
import type { HostProofs } from '../domains/host-proofs.ts';
import { refuseOtherMethods } from './redirect.ts';
import { refuse } from './refusal.ts';

/**
 * Answers, on every host, that this service is reached by that host: `{service, host, proof}`. `proof` is null if the
 * query has no `nonce` of 22 to 64 characters of base64url.
 */
export async function respondToProbe(request: Request, proofs: HostProofs, publicUrl: URL | null): Promise<Response> {
  try {
    refuseOtherMethods(request.method);
    const url = new URL(request.url);
    const host = hostnameOf(url);
    const body = { service: 'terse', host, proof: proofs.of(host, url.searchParams.get('nonce') ?? '') };
    const headers = {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    };
    return new Response(request.method === 'HEAD' ? null : JSON.stringify(body), { headers });
  } catch (error) {
    return refuse(request, error, publicUrl);
  }
}

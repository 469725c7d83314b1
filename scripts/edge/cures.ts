import { logInfo } from '../../src/isolate/log.ts';
import type { Address } from '../../src/network/networks.ts';
import { isNearby } from './networks.ts';
import type { Doubt } from './visitor.ts';

/**
 * Says once for each reason why headers that name visitors are not believed, and what an operator can do. Without it, a
 * server behind a proxy that it does not trust takes all visitors for one, and nothing says why.
 */
export class Cures {
  readonly #said = new Set<Doubt>();

  /**
   * @param peer the address of the connection
   * @param header the name of the header that was ignored; null if there is none
   */
  say(doubt: Doubt, peer: Address | null, header: string | null): void {
    if (this.#said.has(doubt)) return;
    this.#said.add(doubt);
    const [event, cure] = doubt === 'proxy' ? ['proxy_not_trusted', trustCure(peer)] : CURES[doubt];
    logInfo(event, { header, cure });
  }
}

// The log has no addresses of visitors; and the sender may be one who wants to be trusted.
function trustCure(peer: Address | null): string {
  const option = '--trust-proxy';
  const cure = peer !== null && isNearby(peer) ? `"${option} ${peer.toString()}"` : `"${option}" and its address`;
  return `Such headers are removed, so that all visitors behind a proxy count as one. If a proxy of yours has sent it, start with ${cure}.`;
}

const CURES: Readonly<Record<Exclude<Doubt, 'proxy'>, readonly [event: string, cure: string]>> = {
  cloudflare: [
    'cloudflare_not_trusted',
    'Headers of Cloudflare are removed. If your proxies can be reached through Cloudflare only, start with "--trust-cloudflare-headers".',
  ],
  silent: [
    'proxy_names_no_visitor',
    'A trusted proxy has named no visitor, so that all visitors behind it count as one. Let it set "X-Forwarded-For" or "Forwarded".',
  ],
  conflict: [
    'proxy_headers_conflict',
    'A trusted proxy has sent "Forwarded" and "X-Forwarded-For" or "X-Forwarded-Proto" that disagree, and neither was believed. Let it remove the header that it does not set.',
  ],
  malformed: [
    'proxy_header_malformed',
    'A trusted proxy has named a visitor by a text that is not an address, and was not believed. Let it set "X-Forwarded-For" or "Forwarded".',
  ],
};

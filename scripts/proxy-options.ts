import { UsageError } from './cli-error.ts';
import { parseNetwork } from '../src/network/networks.ts';

/** The options of `npm start` that say which headers are believed. */

// Each request is compared with all of them. Cloudflare has 22.
const MOST_RANGES = 100;

/**
 * Reads the values of `--trust-proxy`, each a range or a list of them with commas, and `--trust-cloudflare-headers`. Throws
 * `UsageError`.
 *
 * @param cloudflare undefined if the option is not given
 */
export function readProxies(
  values: readonly (string | undefined)[],
  cloudflare: { readonly value?: string | undefined } | undefined,
): { readonly trustedProxies: readonly string[]; readonly trustsCloudflare: boolean } {
  const trustedProxies = values.flatMap((value = '') => value.split(',', MOST_RANGES + 1).map(readRange));
  if (trustedProxies.length > MOST_RANGES) throw new UsageError(`--trust-proxy takes at most ${MOST_RANGES} ranges.`);
  if (cloudflare?.value !== undefined) throw new UsageError('--trust-cloudflare-headers takes no value.');
  if (cloudflare && trustedProxies.length === 0) {
    throw new UsageError(
      '--trust-cloudflare-headers needs --trust-proxy with the address from which requests come through Cloudflare: ' +
        '--trust-proxy 127.0.0.1',
    );
  }
  return { trustedProxies, trustsCloudflare: cloudflare !== undefined };
}

function readRange(text: string): string {
  const range = text.trim();
  const network = parseNetwork(range);
  if (network === null) {
    throw new UsageError(
      `--trust-proxy ${JSON.stringify(range.slice(0, 60))}: it takes the addresses of your proxies, as in ` +
        '--trust-proxy 127.0.0.1 or --trust-proxy 10.0.0.0/8,fd00::/8',
    );
  }
  if (network[1] === 0) {
    throw new UsageError(
      `--trust-proxy ${range} would let all callers choose their addresses: give the addresses of your proxies only.`,
    );
  }
  return range;
}

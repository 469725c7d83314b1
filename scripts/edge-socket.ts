import { isIPv6 } from 'node:net';
import type { Plugin } from 'miniflare';

const NAME = 'FRONT';

/**
 * The options of a Worker for Miniflare by which workerd connects a port directly to its export `front`. Miniflare's
 * own port leads through a Worker of Miniflare's, which fails at a malformed `Host`; and the sockets of
 * `unsafeDirectSockets` hide the addresses of visitors.
 *
 * @param host an address, or `localhost` for both loopback addresses
 */
export function connectToFront(host: string, port: number) {
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const plugin = { package: import.meta.filename, name: NAME };
  return { unsafeBindings: [{ name: NAME, type: 'socket', plugin, options: { address } }] };
}

const plugin: Plugin = {
  getBindings: () => [],
  getNodeBindings: () => ({}),
  getServices({ options: { config } }) {
    const binding = config.env?.[NAME];
    const address = binding !== undefined && 'dev' in binding ? binding.dev?.options?.address : undefined;
    const service = { name: `core:user:${config.name}`, entrypoint: 'front' };
    return { services: [], extensions: [], sockets: [{ name: NAME, address, service, http: {} }] };
  },
};

/** Miniflare loads this file by its name and reads this export. */
export const plugins = { [NAME]: plugin };

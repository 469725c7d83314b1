import type { Plugin } from 'miniflare';

/**
 * Plugins of Miniflare by which the databases and namespaces of one workerd are bound in others, as the stores of
 * Cloudflare are bound in the versions of a Worker. Miniflare loads this file by its path.
 */

// The host by which workerd distinguishes calls of methods from HTTP.
const CALLS = 'of-methods';

/** Options of the worker whose stores are opened: `STORES` listens on these two addresses, such as `127.0.0.1:1234`. */
export function openStores(addresses: { readonly d1: string; readonly kv: string }) {
  return [{ name: 'STORES', type: 'stores', plugin: pluginOf('STORES'), options: addresses }];
}

export type FarKind = 'd1' | 'kv' | 'queue';

/** A binding whose requests all go to an address, with a header that names what is bound. */
export function bindFar(kind: FarKind, name: string, address: string, header: { name: string; value: string }) {
  return { name, type: `far-${kind}`, plugin: pluginOf('FAR'), options: { address, header } };
}

const pluginOf = (name: string) => ({ package: import.meta.filename, name });

const stores: Plugin = {
  getBindings: () => [],
  getNodeBindings: () => ({}),
  getServices({ options: { config } }) {
    const options = optionsOf(config.env?.['STORES']) as { d1: string; kv: string } | undefined;
    if (options === undefined) return [];
    // Miniflare's own services, which take the id of a store from the header `MF-Namespace`.
    const sockets = [
      { name: 'stores:d1', address: options.d1, service: { name: 'd1:db:entry' }, http: { capnpConnectHost: CALLS } },
      { name: 'stores:kv', address: options.kv, service: { name: 'kv:ns:entry' }, http: {} },
    ];
    return { services: [], extensions: [], sockets };
  },
};

const far: Plugin = {
  getBindings({ config }) {
    return farBindings(config.env).map(({ name, kind }) => {
      const service = { name: serviceName(name) };
      if (kind === 'kv') return { name, kvNamespace: service };
      if (kind === 'queue') return { name, queue: service };
      const innerBindings = [{ name: 'fetcher', service }];
      return { name, wrapped: { moduleName: 'cloudflare-internal:d1-api', innerBindings } };
    });
  },
  getNodeBindings: () => ({}),
  getServices({ options: { config } }) {
    return farBindings(config.env).map(({ name, kind, address, header }) => {
      const http = { injectRequestHeaders: [header], ...(kind === 'd1' && { capnpConnectHost: CALLS }) };
      return { name: serviceName(name), external: { address, http } };
    });
  },
};

interface FarBinding {
  readonly name: string;
  readonly kind: FarKind;
  readonly address: string;
  readonly header: { name: string; value: string };
}

const serviceName = (name: string) => `far:${name}`;

function farBindings(env: Readonly<Record<string, { readonly type: string }>> | undefined): FarBinding[] {
  return Object.entries(env ?? {}).flatMap(([name, binding]) => {
    const [, kind] = /^unsafe:far-(\w+)$/.exec(binding.type) ?? [];
    const options = optionsOf(binding) as Pick<FarBinding, 'address' | 'header'> | undefined;
    return kind === undefined || options === undefined ? [] : [{ name, kind: kind as FarKind, ...options }];
  });
}

function optionsOf(binding: unknown): unknown {
  return (binding as { readonly dev?: { readonly options?: unknown } } | undefined)?.dev?.options;
}

export const plugins = { STORES: stores, FAR: far };

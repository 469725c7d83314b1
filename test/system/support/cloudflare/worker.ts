import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from 'miniflare';
import { QUEUE_HEADER } from './broker.ts';
import { bindFar, type FarKind } from './plugin.ts';
import type { Account, Binding, Module, Version } from './state.ts';
import { STORE_HEADER } from './stores.ts';

/** The options of Miniflare for a version of a Worker. */

// Objects have their data by the name of their Worker.
const OWNER = 'version';

/** The name of a version in its workerd. @param versions those of its workerd; the first has the objects */
export const nameIn = ([owner]: readonly Version[], version: Version): string =>
  version === owner ? OWNER : version.id;

/** All except the stores and the files. @param versions as for `nameIn` */
export function workerOf(version: Version, versions: readonly Version[]) {
  return {
    name: nameIn(versions, version),
    modules: version.modules.map(moduleOf),
    modulesRoot: '/',
    compatibilityDate: version.compatibility_date ?? PRESET_DATE,
    compatibilityFlags: [...version.compatibility_flags],
    bindings: Object.fromEntries(version.bindings.flatMap((binding) => variableOf(binding, version))),
    ratelimits: Object.fromEntries(version.bindings.flatMap(rateLimitOf)),
    serviceBindings: Object.fromEntries(version.bindings.flatMap(mailOf)),
    durableObjects: Object.fromEntries(version.bindings.flatMap(objectsOf)),
  };
}

/** A Worker that posts mails of the binding `send_email` to a host, as JSON: a test answers as the internet. */
export const MAIL_WORKER = {
  name: 'mail',
  // Calls of methods between Workers need it.
  compatibilityDate: '2026-10-01',
  modules: true as const,
  script: `import { WorkerEntrypoint } from 'cloudflare:workers';
  export class Mail extends WorkerEntrypoint {
    async send(mail) {
      const response = await fetch('https://email-sending.example/', { method: 'POST', body: JSON.stringify(mail) });
      if (!response.ok) throw Object.assign(new Error(await response.text()), { code: 'E_INTERNAL_SERVER_ERROR' });
      return { messageId: 'stub' };
    }
  }
  export default {};`,
};

export const sendsMail = ({ bindings }: Version): boolean => bindings.some(({ type }) => type === 'send_email');

function mailOf({ name, type }: Binding): [string, { readonly name: string; readonly entrypoint: string }][] {
  return type === 'send_email' ? [[name, { name: MAIL_WORKER.name, entrypoint: 'Mail' }]] : [];
}

function objectsOf({ name, type, class_name: className }: Binding): [string, Objects][] {
  if (type !== 'durable_object_namespace') return [];
  return [[name, { className: String(className), scriptName: OWNER, useSQLite: true }]];
}

interface Objects {
  readonly className: string;
  readonly scriptName: string;
  readonly useSQLite: true;
}

/** The header by which the dispatcher finds a version. */
export const VERSION_HEADER = 'Stub-Version';

/** The Worker before several versions in one workerd: Miniflare itself serves the files of the first one only. */
export const dispatcherOf = (versions: readonly Version[]) => ({
  name: 'dispatcher',
  modules: true as const,
  script: `export default {
    fetch(request, env) {
      const headers = new Headers(request.headers);
      headers.delete('${VERSION_HEADER}');
      return env[request.headers.get('${VERSION_HEADER}')].fetch(new Request(request, { headers, redirect: 'manual' }));
    },
  };`,
  serviceBindings: Object.fromEntries(
    versions.map((version) => [nameIn(versions, version), nameIn(versions, version)]),
  ),
});

// Cloudflare's for uploads without a date.
const PRESET_DATE = '2021-11-02';

const MODULE_TYPES: Readonly<Record<string, 'ESModule' | 'CompiledWasm' | 'Data' | 'Text'>> = {
  'application/javascript+module': 'ESModule',
  'application/wasm': 'CompiledWasm',
  'application/octet-stream': 'Data',
  'text/plain': 'Text',
};

function moduleOf({ name, type, content }: Module) {
  const kind = MODULE_TYPES[type.replace(/;.*/, '')];
  if (kind === undefined) throw new Error(`The stub does not run modules of the type ${type}.`);
  const isText = kind === 'ESModule' || kind === 'Text';
  return { type: kind, path: `/${name}`, contents: isText ? content.toString() : new Uint8Array(content) };
}

function variableOf({ name, type, text, json }: Binding, { id, annotations, created_on }: Version): [string, Json][] {
  if (type === 'plain_text' || type === 'secret_text') return [[name, String(text)]];
  if (type === 'json') return [[name, json as Json]];
  const tag = annotations['workers/tag'] ?? '';
  return type === 'version_metadata' ? [[name, { id, tag, timestamp: created_on }]] : [];
}

function rateLimitOf({ name, type, namespace_id: namespace, simple }: Binding): [string, RateLimit][] {
  if (type !== 'ratelimit') return [];
  return [[name, { namespace_id: String(namespace), simple: simple as RateLimit['simple'] }]];
}

interface RateLimit {
  readonly namespace_id: string;
  readonly simple: { readonly limit: number; readonly period: 10 | 60 };
}

/** The stores and queues of a version. */
export function farOf({ id }: Account, binding: Binding, addresses: Readonly<Record<FarKind, string>>) {
  const { name, type } = binding;
  const store = (value: unknown) => ({ name: STORE_HEADER, value: String(value) });
  if (type === 'd1') return [bindFar('d1', name, addresses.d1, store(binding['id']))];
  if (type === 'kv_namespace') return [bindFar('kv', name, addresses.kv, store(binding['namespace_id']))];
  if (type !== 'queue') return [];
  const queue = { name: QUEUE_HEADER, value: `${id}/${String(binding['queue_name'])}` };
  return [bindFar('queue', name, addresses.queue, queue)];
}

/** Writes the files of a version, as its asset server reads them. */
export function writeAssets(folder: string, { assets }: Account, { assets: own, bindings }: Version) {
  const { run_worker_first: first, html_handling, not_found_handling, ...files } = own?.config ?? {};
  mkdirSync(folder, { recursive: true });
  for (const [path, hash] of own?.files ?? []) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, assets.get(hash)?.content ?? '');
  }
  // The rules of these files are sent as texts.
  for (const name of ['_headers', '_redirects']) {
    if (typeof files[name] === 'string') writeFileSync(join(folder, name), files[name]);
  }
  const binding = bindings.find(({ type }) => type === 'assets')?.name;
  return {
    directory: folder,
    routerConfig: { has_user_worker: true },
    assetConfig: {
      ...(html_handling !== undefined && { html_handling: html_handling as 'none' }),
      ...(not_found_handling !== undefined && { not_found_handling: not_found_handling as 'none' }),
    },
    ...(binding !== undefined && { binding }),
    ...(first !== undefined && { run_worker_first: first as boolean | string[] }),
  };
}

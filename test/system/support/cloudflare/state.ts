import { randomBytes, randomUUID } from 'node:crypto';
import type { Exports, ObjectNamespace } from './object-state.ts';
import type { Queue } from './queue-state.ts';

/**
 * What an account of the stub has. Records have the names of Cloudflare's API, so that its documents explain them:
 * https://developers.cloudflare.com/api/. A test may read and change all of it.
 */
export interface Account {
  readonly id: string;
  name: string;
  /** Its name below `workers.dev`; null until one is registered. */
  subdomain: string | null;
  /** The ids of what it pays for; null if the sign-in may not read them, as that of wrangler. */
  plans: readonly string[] | null;
  readonly databases: Database[];
  readonly namespaces: Namespace[];
  readonly queues: Queue[];
  /** The namespaces of Durable Objects. */
  readonly objectNamespaces: ObjectNamespace[];
  /** The scripts by name. */
  readonly scripts: Map<string, Script>;
  readonly zones: Zone[];
  readonly domains: Domain[];
  /** Uploaded files by their hash. */
  readonly assets: Map<string, Asset>;
}

export interface Database {
  readonly uuid: string;
  readonly name: string;
  readonly created_at: string;
  readonly version: 'production';
  /** Its replicas: the stub keeps the mode, and has none. */
  read_replication: { mode: ReplicationMode };
}

export type ReplicationMode = (typeof REPLICATION_MODES)[number];

export const REPLICATION_MODES = ['auto', 'disabled'] as const;

interface Namespace {
  readonly id: string;
  readonly title: string;
}

export interface Script {
  readonly name: string;
  /** A constant id that wrangler calls the tag of the Worker. */
  readonly tag: string;
  readonly created_on: string;
  /** Oldest first. */
  readonly versions: Version[];
  /** Newest first: the first one is the current one. */
  readonly deployments: Deployment[];
  /** True for `enabled` if `NAME.SUBDOMAIN.workers.dev` leads to the Worker; its versions may have addresses too. */
  workersDev: { enabled: boolean; previews_enabled: boolean };
  /** Cron expressions. */
  schedules: string[];
  /** The settings of `PATCH …/script-settings`. */
  settings: { logpush: boolean; observability: unknown; tags: string[]; tail_consumers: unknown };
}

export interface Version {
  readonly id: string;
  /** 1, 2, 3 … */
  readonly number: number;
  readonly created_on: string;
  readonly source: Source;
  readonly annotations: Readonly<Record<string, string>>;
  /** The main module first. */
  readonly modules: readonly Module[];
  /** Secrets are among them, with their values. */
  readonly bindings: readonly Binding[];
  /** The classes of Durable Objects that the version declares. */
  readonly exports: Exports;
  readonly compatibility_date: string | undefined;
  readonly compatibility_flags: readonly string[];
  readonly assets: VersionAssets | null;
}

export type Source = 'wrangler' | 'api';

export interface Module {
  readonly name: string;
  /** A content type, such as `application/javascript+module`. */
  readonly type: string;
  readonly content: Buffer;
}

export interface Binding {
  readonly name: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface VersionAssets {
  /** Hashes by path, such as `/assets/style.css`. */
  readonly files: ReadonlyMap<string, string>;
  readonly config: Readonly<Record<string, unknown>>;
}

interface Asset {
  readonly content: Buffer;
  readonly type: string;
}

export interface Deployment {
  readonly id: string;
  readonly created_on: string;
  readonly source: Source;
  readonly strategy: 'percentage';
  readonly annotations: Readonly<Record<string, string>>;
  readonly versions: readonly Share[];
}

/** A version's part of the traffic. */
export interface Share {
  readonly version_id: string;
  /** 0 to 100; those of a deployment add up to 100. */
  readonly percentage: number;
}

export interface Domain {
  readonly id: string;
  readonly hostname: string;
  service: string;
  readonly environment: 'production';
  readonly zone_id: string;
  readonly zone_name: string;
  readonly cert_id: string;
  enabled: boolean;
  previews_enabled: boolean;
  /** The number of TLS handshakes that fail before there is a certificate. */
  handshakesToFail: number;
}

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly status: 'active';
  readonly records: DnsRecord[];
  readonly routes: Route[];
}

export interface DnsRecord {
  readonly id: string;
  readonly type: string;
  /** The full host name. */
  readonly name: string;
  readonly content: string;
  readonly proxied: boolean;
  readonly ttl: number;
  /** `origin_worker_id` is the id of the domain of a Worker that this record belongs to. */
  readonly meta: { readonly origin_worker_id?: string; readonly read_only?: boolean };
}

interface Route {
  readonly id: string;
  /** Such as `go.example.com/*`. */
  readonly pattern: string;
  readonly script: string;
}

/** An account that has nothing. */
export function createAccount(name: string, subdomain: string | null): Account {
  return {
    id: newId(),
    name,
    subdomain,
    plans: null,
    databases: [],
    namespaces: [],
    queues: [],
    objectNamespaces: [],
    scripts: new Map(),
    zones: [],
    domains: [],
    assets: new Map(),
  };
}

/** A zone without records, as it is after its name servers have been changed. */
export function createZone(name: string): Zone {
  return { id: newId(), name, status: 'active', records: [], routes: [] };
}

/** A DNS record that a person has created. */
export function createRecord(type: string, name: string, content: string): DnsRecord {
  return { id: newId(), type, name, content, proxied: true, ttl: 1, meta: {} };
}

/** The version that a deployment or a test names. Throws if there is none. */
export function versionOf(script: Script, id: string): Version {
  const version = script.versions.find((each) => each.id === id);
  if (version === undefined) throw new Error(`The Worker ${script.name} has no version ${id}.`);
  return version;
}

/** 32 hexadecimal digits, as most ids of Cloudflare's API are. */
export function newId(): string {
  return randomBytes(16).toString('hex');
}

export function newUuid(): string {
  return randomUUID();
}

let latest = 0;

/** The time, in ISO 8601; no two calls return the same, since wrangler sorts deployments by it. */
export function now(): string {
  latest = Math.max(Date.now(), latest + 1);
  return new Date(latest).toISOString();
}

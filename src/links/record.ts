import type { Site } from '../network/hosts.ts';
import { toInstant } from '../time/instant.ts';
import { jsonOf, STORED_NAMES, valueOfJson, type LinkContent, type StoredName } from './fields/content.ts';
import { propertyOf } from './fields/property.ts';
import type { KindValues } from './fields/kinds.ts';
import { linkFields, type LinkFields } from './fields/table.ts';
import type { Unhealthy } from './health/unhealthy.ts';
import type { Link } from './link.ts';
import type { LinkState, ManagedLink } from './managed-link.ts';
import { shortUrlOf } from './slugs/short-url.ts';

/** The short-link record of the published interface, for create and info. */
export interface LinkRecord {
  readonly id: string;
  readonly short_url: string;
  readonly url: string;
  readonly client_id: string;
  readonly sec_id: string;
  readonly campaign_name: string | null;
  readonly custom_domain: string | null;
  /** The caller's JSON text, byte for byte. */
  readonly metadata: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

export function toRecord(link: Link, site: Site): LinkRecord {
  return {
    id: link.id,
    short_url: shortUrlOf(link, site),
    url: link.url,
    client_id: link.clientId,
    sec_id: link.secId,
    campaign_name: link.campaignName,
    custom_domain: link.customDomain,
    metadata: link.metadata,
    created_at: new Date(link.createdAt).toISOString(),
  };
}

type ManagedOnly = { [Name in StoredName]: LinkFields[Name]['isPublished'] extends true ? never : Name }[StoredName];

interface JsonValues extends Omit<KindValues, 'instant' | 'json' | 'names'> {
  readonly instant: string;
  readonly json: unknown;
}

type ManagedValue<Kind extends keyof KindValues> = Kind extends keyof JsonValues
  ? JsonValues[Kind] | null
  : readonly string[];

type ManagedValues = { readonly [Name in ManagedOnly]: ManagedValue<LinkFields[Name]['stored']> };

/** The fields of a link from its record. */
export function contentOfRecord(record: ManagedRecord): LinkContent {
  return Object.fromEntries(STORED_NAMES.map((name) => [propertyOf(name), valueOfJson(name, record[name])])) as never;
}

/** A link in the management API: the published record and further fields. Instants are ISO 8601, UTC. */
export interface ManagedRecord extends LinkRecord, ManagedValues {
  readonly slug: string;
  readonly aliases: readonly string[];
  readonly has_password: boolean;
  readonly disabled: boolean;
  readonly state: LinkState;
  readonly waits_for: string | null;
  readonly unhealthy: (Omit<Unhealthy, 'since'> & { readonly since: string }) | null;
  readonly updated_at: string;
}

/** The record of a new link, with whether it is one that existed already if the request had `reuse`. */
export type CreatedRecord = ManagedRecord & { readonly reused?: boolean };

/** The stored fields that are not part of the published record. */
export const MANAGED_ONLY = STORED_NAMES.filter((name): name is ManagedOnly => !linkFields[name].isPublished);

const MANAGED_ONLY_NAMES: ReadonlySet<string> = new Set(MANAGED_ONLY);

export function toManagedRecord(link: ManagedLink, site: Site): ManagedRecord {
  const { slug, aliases, disabled, state } = link;
  const record = toRecord(link, site);
  const others = jsonOf(MANAGED_ONLY_NAMES, link);
  return {
    ...record,
    slug,
    aliases,
    ...(others as unknown as ManagedValues),
    has_password: link.hasPassword,
    disabled,
    state,
    waits_for: link.waitsFor,
    unhealthy: link.unhealthy && { ...link.unhealthy, since: toInstant(link.unhealthy.since) },
    updated_at: new Date(link.updatedAt).toISOString(),
  };
}

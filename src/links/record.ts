import type { Site } from '../hosts.ts';
import { toInstant } from '../time/instant.ts';
import { STORED_NAMES, textOf, type StoredName } from './fields/content.ts';
import { linkFields, type LinkFields } from './fields/table.ts';
import type { Link } from './link.ts';
import type { LinkState, ManagedLink } from './managed.ts';
import { shortUrlOf } from './short-url.ts';

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
    created_at: toInstant(link.createdAt),
  };
}

type ManagedOnly = { [Name in StoredName]: LinkFields[Name]['isPublished'] extends true ? never : Name }[StoredName];

/** A link in the management API: the published record and further fields. Instants are ISO 8601, UTC. */
export interface ManagedRecord extends LinkRecord, Readonly<Record<ManagedOnly, string | null>> {
  readonly slug: string;
  readonly aliases: readonly string[];
  readonly disabled: boolean;
  readonly state: LinkState;
  readonly updated_at: string;
}

/** The stored fields that are not part of the published record. */
export const MANAGED_ONLY = STORED_NAMES.filter((name): name is ManagedOnly => !linkFields[name].isPublished);

export function toManagedRecord(link: ManagedLink, site: Site): ManagedRecord {
  const { slug, aliases, disabled, state } = link;
  const others = Object.fromEntries(MANAGED_ONLY.map((name) => [name, textOf(name, link)]));
  return {
    ...toRecord(link, site),
    slug,
    aliases,
    ...(others as Record<ManagedOnly, string | null>),
    disabled,
    state,
    updated_at: toInstant(link.updatedAt),
  };
}

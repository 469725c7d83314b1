import type { Site } from '../hosts.ts';
import { toInstant } from '../time/instant.ts';
import type { Link } from './link.ts';
import type { LinkState, ManagedLink } from './managed.ts';
import { shortUrlOf } from './short-url.ts';

/** The short-link record of the published interface, on create and on info alike. */
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

/** A link as the management API shows it: the contract's record and more. */
export interface ManagedRecord extends LinkRecord {
  readonly slug: string;
  readonly aliases: readonly string[];
  /** ISO 8601, UTC. */
  readonly expires_at: string | null;
  readonly disabled: boolean;
  readonly state: LinkState;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

export function toManagedRecord(link: ManagedLink, site: Site): ManagedRecord {
  const { slug, aliases, disabled, state } = link;
  return {
    ...toRecord(link, site),
    slug,
    aliases,
    expires_at: toInstant(link.expiresAt),
    disabled,
    state,
    updated_at: toInstant(link.updatedAt),
  };
}

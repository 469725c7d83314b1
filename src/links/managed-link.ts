import { compareCodePoints } from '../text/code-points.ts';
import { blockedHostsOf } from './destinations/destination-hosts.ts';
import { longestUnhealthy, UNHEALTHY, type Unhealthy } from './health/unhealthy.ts';
import type { Link } from './link.ts';
import { orderedList } from './tags/names.ts';
import { linkColumns, toLink, type LinkRow } from './store.ts';

/** A link for the people who manage it. Instants are milliseconds since the epoch. */
export interface ManagedLink extends Link {
  /** Other slugs on the same host that lead to it. */
  readonly aliases: readonly string[];
  readonly disabled: boolean;
  readonly state: LinkState;
  /** Its custom domain while that is not verified, so that the link does not redirect yet; null otherwise. */
  readonly waitsFor: string | null;
  readonly updatedAt: number;
  /** Grows with every edit, and not with clicks. */
  readonly revision: number;
  /** When its click limit was set; null without one. */
  readonly limitedAt: number | null;
  /** Null if its destinations are healthy, not checked, or not needed, since the link is not active. */
  readonly unhealthy: Unhealthy | null;
}

export const LINK_STATES = ['active', 'expired', 'disabled', 'deleted'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** The time for which a deleted link can be restored; afterwards its content is removed. */
export const RESTORABLE_MS = 30 * 24 * 3600 * 1000;

export interface ManagedRow extends LinkRow {
  readonly domain_id: string;
  /** Null on the service's own host. A pending domain serves no links. */
  readonly domain_status: 'pending' | 'active' | 'lost' | null;
  /** When its custom domain was removed, if it was. */
  readonly domain_removed_at: number | null;
  /** A JSON array. */
  readonly aliases: string;
  readonly updated_at: number;
  readonly disabled_at: number | null;
  readonly deleted_at: number | null;
  readonly revision: number;
  readonly limited_at: number | null;
  /** A JSON list of `Unhealthy`, or null; absent in events of earlier versions. */
  readonly unhealthy?: string | null;
}

/** The aliases of links `l`, as a JSON array. */
export const ALIASES = `(SELECT json_group_array(slug) FROM (
    SELECT DISTINCT a.slug FROM addresses a WHERE a.link_id = l.id AND a.slug <> l.slug ORDER BY a.slug
  ))`;

// SQLite reads an index entry for each address, and one more. A sort would read one more for each link and each alias.
const UNORDERED_ALIASES =
  '(SELECT json_group_array(a.slug) FROM addresses a WHERE a.link_id = l.id AND a.slug <> l.slug)';

const FURTHER_COLUMNS = `l.domain_id, d.status AS domain_status, d.removed_at AS domain_removed_at,
  l.updated_at, l.disabled_at, l.deleted_at, l.revision, l.limited_at, ${UNHEALTHY} AS unhealthy`;

/** The columns of a `ManagedRow`, of links `l` and their domains `d`. */
export const MANAGED_COLUMNS = `${linkColumns('in order')}, ${FURTHER_COLUMNS}, ${ALIASES} AS aliases`;

/** `MANAGED_COLUMNS` for lists, where fewer rows are read since `toManaged` orders the tags and the aliases. */
export const LISTED_COLUMNS = `${linkColumns('unordered')}, ${FURTHER_COLUMNS}, ${UNORDERED_ALIASES} AS aliases`;

/** Joins the domains `d` of links `l`. */
export const WITH_DOMAINS = 'LEFT JOIN domains d ON d.id = l.domain_id';

/** A link after an edit, and the hosts of its destinations that are blocked, as a JSON array; null if there are none. */
export type EditedRow = ManagedRow & { readonly blocked_hosts: string | null };

/** The columns of an `EditedRow`, of links `l` and their domains `d`. */
export const EDITED_COLUMNS = `${MANAGED_COLUMNS}, ${blockedHostsOf('l')} AS blocked_hosts`;

export function toManaged(row: ManagedRow, now: number): ManagedLink {
  const state = stateOf(row, now);
  return {
    ...toLink(row),
    tags: orderedList(row.tags),
    aliases: orderedSlugs(JSON.parse(row.aliases)),
    updatedAt: row.updated_at,
    disabled: row.disabled_at !== null,
    state,
    waitsFor: row.domain_status === 'pending' && row.domain_removed_at === null ? row.host : null,
    revision: row.revision,
    limitedAt: row.max_clicks === null ? null : (row.limited_at ?? row.created_at),
    unhealthy: state === 'active' && row.unhealthy ? longestUnhealthy(row.unhealthy) : null,
  };
}

/** Slugs by code points, each once. */
function orderedSlugs(slugs: readonly string[]): readonly string[] {
  if (slugs.length < 2) return slugs;
  return [...new Set(slugs)].toSorted(compareCodePoints);
}

function stateOf(row: ManagedRow, now: number): LinkState {
  if (row.deleted_at !== null) return 'deleted';
  if (row.disabled_at !== null) return 'disabled';
  return row.expires_at !== null && row.expires_at <= now ? 'expired' : 'active';
}

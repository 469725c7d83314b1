import { insertEvents, type EventRows } from '../../events/record.ts';
import type { EventType } from '../../events/types.ts';
import { STORED_NAMES, contentColumn, type StoredName } from '../fields/content.ts';
import { linkFields } from '../fields/table.ts';
import { UNHEALTHY } from '../health/unhealthy.ts';
import { ALIASES, type ManagedRow } from '../managed-link.ts';

/**
 * Events about links, as they are recorded. Their rows have the columns of the link, and `bodyOf` forms the record of them.
 */

/** The content of `data` until the event is dispatched. */
export interface RecordedLink {
  /** Together the columns of a `ManagedRow`: a function of D1 takes 32 arguments at most. */
  readonly row: readonly Partial<ManagedRow>[];
  /** `{column: [before, …]}` of what was changed; null if the event is about no change. */
  readonly changes: Readonly<Record<string, readonly [unknown, ...unknown[]]>> | null;
}

interface LinkEventOptions extends Pick<EventRows, 'id' | 'most'> {
  readonly changes?: string;
  readonly known?: Readonly<Partial<Record<'aliases' | 'host' | 'tags', string>>>;
}

type LinkEventType = Extract<
  EventType,
  `link.${'created' | 'updated' | 'deleted' | 'limit_reached' | 'expired' | 'unhealthy' | 'recovered'}`
>;

/**
 * The end of a statement that records an event about each link.
 *
 * @param from the FROM clause with its condition, for links `l`
 * @param at when it happened, in SQL
 * @param changes a JSON object as `RecordedLink` has it, in SQL
 * @param known the values of columns that all of the links have, in SQL, which takes less time to compile
 */
export function insertLinkEvents(
  type: LinkEventType,
  from: string,
  at: string,
  { changes = 'NULL', known = {}, ...rest }: LinkEventOptions = {},
): string {
  return insertEvents({
    type,
    at,
    ...rest,
    client: 'l.client_id',
    data: `json_object('row', ${rowOf({ ...COLUMNS, ...known })}, 'changes', json(${changes}))`,
    linkTags: 'tags' in known ? `'[]'` : `(SELECT json_group_array(tag_id) FROM link_tags WHERE link_id = l.id)`,
    linkCampaign: 'l.campaign_name',
    from,
  });
}

const OTHER_COLUMNS: Readonly<Record<Exclude<keyof ManagedRow, StoredName>, string>> = {
  id: 'l.id',
  slug: 'l.slug',
  host: '(SELECT host FROM domains WHERE id = l.domain_id)',
  client_id: 'l.client_id',
  created_at: 'l.created_at',
  // Whether it has a password; the hash is in no event.
  password_at: 'l.password_at',
  domain_id: 'l.domain_id',
  domain_status: '(SELECT status FROM domains WHERE id = l.domain_id)',
  domain_removed_at: '(SELECT removed_at FROM domains WHERE id = l.domain_id)',
  // A text, though SQLite knows that it is JSON.
  aliases: `${ALIASES} || ''`,
  updated_at: 'l.updated_at',
  disabled_at: 'l.disabled_at',
  deleted_at: 'l.deleted_at',
  revision: 'l.revision',
  limited_at: 'l.limited_at',
  // A text, as the aliases are.
  unhealthy: `(${UNHEALTHY}) || ''`,
};

const MAX_PAIRS = 16;

const COLUMNS: Readonly<Record<string, string>> = {
  ...OTHER_COLUMNS,
  ...Object.fromEntries(STORED_NAMES.map((name) => [name, recordedColumn(name)])),
};

// A text, as the aliases are.
function recordedColumn(name: StoredName): string {
  const column = contentColumn('l', name);
  return linkFields[name].stored === 'names' ? `${column} || ''` : column;
}

function rowOf(sqlOf: Readonly<Record<string, string>>): string {
  const columns = Object.entries(sqlOf);
  const parts: string[] = [];
  for (let first = 0; first < columns.length; first += MAX_PAIRS) {
    const pairs = columns.slice(first, first + MAX_PAIRS).map(([name, sql]) => `'${name}', ${sql}`);
    parts.push(`json_object(${pairs.join(', ')})`);
  }
  return `json_array(${parts.join(', ')})`;
}

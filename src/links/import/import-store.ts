import { ACTING, actingParams, selectAccess, SOLE_CLIENT, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database, Statement } from '../../database.ts';
import { IS_ACTIVE } from '../domain-conditions.ts';
import { blockedHostAmong, ownHostAmong } from '../destination-hosts.ts';
import { destinationsOf, hostsOf } from '../destinations.ts';
import { pickContent, propertyOf, STORED_NAMES } from '../fields/content.ts';
import { linkFields } from '../fields/table.ts';
import { foldedIn } from '../folded.ts';
import type { ImportedLink } from './import-row.ts';
import { MANAGED_COLUMNS, toManaged, type ManagedLink, type ManagedRow } from '../managed.ts';
import { hasBelow, isBelowOwner, pathKeysOf } from '../path-owners.ts';

/** A link that is to be created from a row. */
export interface Draft {
  readonly id: string;
  readonly secId: string;
  readonly createdAt: number;
  readonly row: ImportedLink;
}

/** The state of the database for a row. */
export interface RowState {
  readonly isDomainOk: boolean;
  /** Whether slugs of its domain are case-sensitive. */
  readonly isCaseSensitive: boolean;
  /** The host of a destination that is a custom domain of the service, or null. */
  readonly ownHost: string | null;
  /** The host of a destination that the operator has blocked, or null. */
  readonly blockedHost: string | null;
  /** Whether one of its addresses is below a link that passes paths on. */
  readonly isBelowOwner: boolean;
  /** Whether it passes paths on, and there are links below it. */
  readonly hasBelow: boolean;
  /** Whether a link of the client has its external id. */
  readonly isExternalIdTaken: boolean;
  /** For a row without a slug: a link of the client that is equal. */
  readonly equal: ManagedLink | null;
  /**
   * Which of its slug and aliases are taken; `link` is the link that has the slug, if it is a link of the client that
   * is not deleted.
   */
  readonly taken: readonly { readonly slug: string; readonly link: ManagedLink | null }[];
}

interface ItemRow {
  readonly position: number;
}

type Nothing = { readonly [Column in keyof ManagedRow]: null };
type StateRow = ItemRow & {
  readonly domain_ok: number;
  readonly case_sensitive: number;
  readonly own_host: string | null;
  readonly blocked_host: string | null;
  readonly is_below: number;
  readonly is_above: number;
  readonly external_id_taken: number;
} & (ManagedRow | Nothing);
type TakenRow = ItemRow & { readonly taken_slug: string } & (ManagedRow | Nothing);

interface StepOutcome {
  readonly access: readonly AccessRow[];
  /** The client of each created link, by its id. */
  readonly created: ReadonlyMap<string, string>;
  /** The state of each row that was asked about. */
  readonly states: readonly RowState[];
}

/**
 * Creates some links, and then reads the states of other rows: one round trip, one transaction. A link is created with
 * all of its addresses or not at all: none may be taken, and no two drafts may have the same one.
 */
export async function insertAndRead(
  db: Database,
  actor: Actor,
  drafts: readonly Draft[],
  rows: readonly ImportedLink[],
): Promise<StepOutcome> {
  const now = Date.now();
  const acting = actingParams(actor, 'links:write', now);
  const toMake = [...acting, JSON.stringify(drafts.map(draftItem))];
  const toAsk = [...acting, JSON.stringify(rows.map(rowItem))];
  const keyId = actor.credential.kind === 'api_key' ? actor.credential.keyId : null;
  const statements: Statement[] = [
    selectAccess(actor, 'links:write', now),
    { sql: INSERT_ADDRESSES, params: toMake },
    { sql: INSERT_LINKS, params: [...toMake, keyId] },
    { sql: SELECT_STATES, params: toAsk },
    { sql: SELECT_TAKEN, params: toAsk },
  ];
  const [access, , created, states, taken] =
    await db.batch<[AccessRow, never, { id: string; client_id: string }, StateRow, TakenRow]>(statements);
  const takenBy = Map.groupBy(taken, ({ position }) => position);
  return {
    access,
    created: new Map(created.map(({ id, client_id: clientId }) => [id, clientId])),
    states: states.map((state) => ({
      isDomainOk: state.domain_ok === 1,
      isCaseSensitive: state.case_sensitive === 1,
      ownHost: state.own_host,
      blockedHost: state.blocked_host,
      isBelowOwner: state.is_below === 1,
      hasBelow: state.is_above === 1,
      isExternalIdTaken: state.external_id_taken === 1,
      equal: toManagedOrNull(state, now),
      taken: (takenBy.get(state.position) ?? []).map((row) => ({
        slug: row.taken_slug,
        link: toManagedOrNull(row, now),
      })),
    })),
  };
}

function toManagedOrNull(row: ManagedRow | Nothing, now: number): ManagedLink | null {
  return row.id === null ? null : toManaged(row, now);
}

/** A row as the statements below take it; with `by_content` if it is identified by its content. */
export function rowItem(row: ImportedLink) {
  const { slug, aliases } = row;
  return {
    customDomain: row.customDomain,
    ...pickContent(row),
    disabled: row.disabled,
    hasPassword: row.hasPassword,
    by_content: slug === null,
    targetHosts: hostsOf(destinationsOf(row)),
    claims: slug === null ? [] : [slug, ...aliases].map(claim),
  };
}

function draftItem({ row, id, secId, createdAt }: Draft) {
  const item = rowItem(row);
  return { ...item, id, newSecId: secId, createdAt, claims: row.slug === null ? [claim(id)] : item.claims };
}

function claim(slug: string) {
  return { slug, ...pathKeysOf(slug) };
}

const DOMAIN_OF_ITEM = `FROM domains
  WHERE client_id = ${SOLE_CLIENT} AND host = item.value ->> 'customDomain' AND removed_at IS NULL`;

const FOLDED_CLAIM = foldedIn('w.case_sensitive', 'claim.value');

const CONTENT_OF_ITEM = STORED_NAMES.map((name) => {
  const value = `item.value ->> '${propertyOf(name)}'`;
  return name === 'url' ? `CAST(${value} AS TEXT) AS url` : `${value} AS ${name}`;
}).join(', ');

const IS_EQUAL_CONTENT = STORED_NAMES.filter((name) => linkFields[name].isClearable)
  .map((name) => `w.${name} IS l.${name}`)
  .join(' AND ');

const NEW_CONTENT = STORED_NAMES.map((name) => (name === 'sec_id' ? `w.item ->> 'newSecId'` : `w.${name}`)).join(', ');

// Under CROSS JOIN the planner keeps the order: from the rows, which are few, to the addresses, which are many. The
// cast gives the text an affinity, without which the index could not be used for the join.
//
// A domain of the client that takes no new links may still have some of the file.
const WANTED = `${ACTING},
  wanted AS MATERIALIZED (
    SELECT item.key AS position, item.value AS item, item.value ->> 'by_content' AS by_content, ${CONTENT_OF_ITEM},
      item.value ->> 'disabled' AS disabled, item.value ->> 'hasPassword' AS had_password, item.value ->> 'id' AS id, item.value ->> 'createdAt' AS created_at,
      CASE WHEN item.value ->> 'customDomain' IS NULL THEN '' ELSE (SELECT id ${DOMAIN_OF_ITEM}) END AS domain_id,
      (item.value ->> 'customDomain' IS NULL OR EXISTS (SELECT 1 ${DOMAIN_OF_ITEM} AND ${IS_ACTIVE})) AS domain_ok,
      coalesce((SELECT case_sensitive ${DOMAIN_OF_ITEM}), FALSE) AS case_sensitive,
      ${ownHostAmong(`item.value -> 'targetHosts'`)} AS own_host,
      ${blockedHostAmong(`item.value -> 'targetHosts'`)} AS blocked_host
    FROM json_each(?8) AS item
  )`;

// No index finds a link by its content: if that is needed, all links of the client are read once.
const EQUAL = `
  equal AS MATERIALIZED (
    SELECT w.position, max(l.id) AS link_id
    FROM links l CROSS JOIN wanted w
    WHERE l.client_id = (SELECT ${SOLE_CLIENT} WHERE EXISTS (SELECT 1 FROM wanted WHERE by_content))
      AND l.url <> '' AND l.deleted_at IS NULL AND w.by_content AND w.url = l.url AND w.domain_id = l.domain_id
      AND ${IS_EQUAL_CONTENT} AND w.disabled = (l.disabled_at IS NOT NULL)
      AND w.had_password = (l.password_at IS NOT NULL)
      AND (w.sec_id IS NULL OR w.sec_id = l.sec_id)
    GROUP BY w.position
  )`;

const ofClaims = (condition: string) =>
  `EXISTS (SELECT 1 FROM json_each(w.item, '$.claims') AS claim WHERE ${condition})`;
const IS_BELOW = ofClaims(isBelowOwner('w.domain_id', 'w.case_sensitive', 'claim.value'));
const IS_ABOVE = `(w.forward_path IS TRUE AND ${ofClaims(hasBelow('w.domain_id', FOLDED_CLAIM))})`;

const IS_EXTERNAL_ID_TAKEN = `EXISTS (
  SELECT 1 FROM links l WHERE l.client_id = ${SOLE_CLIENT} AND l.external_id = w.external_id)`;

const INSERT_ADDRESSES = `${WANTED}, ${EQUAL}
  INSERT INTO addresses (domain_id, folded, slug, link_id)
  SELECT w.domain_id, ${FOLDED_CLAIM}, claim.value ->> 'slug', w.id
  FROM wanted w CROSS JOIN json_each(w.item, '$.claims') AS claim
  WHERE ${SOLE_CLIENT} IS NOT NULL AND w.domain_ok AND w.own_host IS NULL AND w.blocked_host IS NULL
    AND NOT ${IS_BELOW} AND NOT ${IS_ABOVE} AND NOT ${IS_EXTERNAL_ID_TAKEN}
    AND w.position NOT IN (SELECT position FROM equal)
    AND NOT EXISTS (SELECT 1 FROM links WHERE id = w.id)
    AND NOT EXISTS (
      SELECT 1 FROM json_each(w.item, '$.claims') AS other
      CROSS JOIN addresses a ON a.domain_id = w.domain_id AND a.folded IN (${foldedIn('w.case_sensitive', 'other.value')}, other.value ->> 'former'))
  ON CONFLICT DO NOTHING`;

const INSERT_LINKS = `${WANTED}
  INSERT INTO links (id, domain_id, slug, client_id, ${STORED_NAMES.join(', ')}, created_at, updated_at, disabled_at,
    revision, user_id, key_id)
  SELECT a.link_id, a.domain_id, a.slug, ${SOLE_CLIENT}, ${NEW_CONTENT}, w.created_at, w.created_at,
    CASE WHEN w.disabled OR w.had_password THEN w.created_at END, w.created_at,
    (SELECT max(user_id) FROM acting), ?9
  FROM wanted w
  CROSS JOIN addresses a ON a.domain_id = w.domain_id AND a.folded = ${foldedIn('w.case_sensitive', `w.item -> '$.claims[0]'`)} AND a.link_id = w.id
  WHERE true
  ON CONFLICT (id) DO NOTHING
  RETURNING id, client_id`;

const SELECT_STATES = `${WANTED}, ${EQUAL}
  SELECT w.position, w.domain_ok, w.case_sensitive, w.own_host, w.blocked_host, ${IS_BELOW} AS is_below, ${IS_ABOVE} AS is_above,
    ${IS_EXTERNAL_ID_TAKEN} AS external_id_taken, ${MANAGED_COLUMNS}
  FROM wanted w LEFT JOIN equal ON equal.position = w.position
  LEFT JOIN links l ON l.id = equal.link_id LEFT JOIN domains d ON d.id = l.domain_id
  ORDER BY w.position`;

const SELECT_TAKEN = `${WANTED}
  SELECT w.position, claim.value ->> 'slug' AS taken_slug, ${MANAGED_COLUMNS}
  FROM wanted w CROSS JOIN json_each(w.item, '$.claims') AS claim
  CROSS JOIN addresses a ON a.domain_id = w.domain_id AND a.folded IN (${FOLDED_CLAIM}, claim.value ->> 'former')
  LEFT JOIN links l
    ON l.id = a.link_id AND claim.key = 0 AND l.client_id = ${SOLE_CLIENT} AND l.deleted_at IS NULL
  LEFT JOIN domains d ON d.id = l.domain_id
  ORDER BY w.position, claim.key, a.slug = claim.value ->> 'slug' DESC`;

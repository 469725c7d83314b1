import { ACTING, SOLE_CLIENT } from '../accounts/access.ts';
import type { Param } from '../database.ts';
import { MANAGED_COLUMNS, type LinkState } from './managed.ts';
import type { LinkFilters } from './list.ts';
import { foldSlug, isMadeId, keysOf, MADE_ID } from './slug.ts';

/** The SQL of a list of links: one index leads to them in their order, and says as much of the filters as it can. */

/** How many rows of the table one page of a list looks at, whatever it finds. */
const MAX_EXAMINED = 500;
/** How many entries of an index it looks at, where that alone tells which links are asked for. */
const MAX_SCANNED = 10_000;

export interface ListSql {
  readonly sql: string;
  /** From ?8 on. */
  readonly params: readonly Param[];
  /** After how many rows the page ends, whatever it has found; null where all rows fit. */
  readonly mostExamined: number | null;
}

/** How to find the links that have one field as it is asked for. */
interface Lead {
  /** As the schema names it; null where the links are known one by one. */
  readonly index: string | null;
  readonly where: readonly string[];
  /** The filters of which nothing is left to look at. */
  readonly settles: readonly (keyof LinkFilters)[];
  /** The filters that each entry of the index says enough of. */
  readonly tells?: readonly (keyof LinkFilters)[];
}

/**
 * @param position the row after which the page begins
 * @param limit how many rows are asked for
 */
export function listSqlOf(
  filters: LinkFilters,
  [beforeAt, beforeId]: readonly [number, string],
  limit: number,
): ListSql {
  const params: Param[] = [beforeAt, beforeId];
  const bind = (value: Param) => `?${params.push(value) + 7}`;
  const lead = leadOf(filters, bind);
  const asked = Object.entries(filters).filter(([, value]) => value !== undefined);
  const open = asked.filter(([name]) => !lead.settles.some((settled) => settled === name));
  const left = conditionsOf(Object.fromEntries(open), bind);
  const isByIndex = open.every(([name]) => lead.tells?.some((told) => told === name));
  const mostExamined = left.length === 0 ? null : isByIndex ? MAX_SCANNED : MAX_EXAMINED;
  const examine = bind(mostExamined ?? limit);
  const fits = left.length === 0 ? '1' : `(${left.join(' AND ')}) IS TRUE`;
  const sql = `${ACTING},
    page AS MATERIALIZED (
      SELECT id, fits, row_number() OVER (ORDER BY created_at DESC, id DESC) AS examined FROM (
        SELECT l.id, l.created_at, ${fits} AS fits FROM links l ${lead.index === null ? '' : `INDEXED BY ${lead.index}`}
        WHERE ${lead.where.join(' AND ')} AND (l.created_at, l.id) < (?8, ?9)
        ORDER BY l.created_at DESC, l.id DESC LIMIT ${examine}))
    SELECT p.examined, p.fits, ${MANAGED_COLUMNS}
    FROM page p CROSS JOIN links l ON l.id = p.id LEFT JOIN domains d ON d.id = l.domain_id
    WHERE p.fits OR p.examined = ${examine} ORDER BY p.examined LIMIT ${bind(limit)}`;
  return { sql, params, mostExamined };
}

type Bind = (value: Param) => string;

// The most telling first.
function leadOf(filters: LinkFilters, bind: Bind): Lead {
  const { state, slug, url, sec_id, campaign_name, custom_domain } = filters;
  const base = [OF_CLIENT, state === 'deleted' ? IS_DELETED : IS_LIVE];
  const by = (index: string, settles: keyof LinkFilters, ...where: string[]): Lead => ({
    index,
    where: [...base, ...where],
    settles: [settles],
  });
  if (slug !== undefined) {
    return { index: null, where: [...base, hasAddress(slug, custom_domain, bind)], settles: ['slug', 'custom_domain'] };
  }
  if (state === 'deleted') return by('links_deleted_of_client', 'state');
  if (url !== undefined) {
    const text = bind(url);
    return by('links_of_url', 'url', `${urlKey('l.url')} = ${urlKey(text)}`, `l.url = ${text}`);
  }
  if (sec_id !== undefined && !isMadeId(sec_id)) {
    return by('links_of_sec_id', 'sec_id', `l.sec_id = ${bind(sec_id)}`, IS_CHOSEN);
  }
  if (campaign_name !== undefined) {
    return by('links_of_campaign', 'campaign_name', `l.campaign_name = ${bind(campaign_name)}`);
  }
  if (state === 'disabled') return by('links_disabled', 'state', 'l.disabled_at IS NOT NULL');
  if (custom_domain !== undefined) {
    return by(
      'links_of_domain',
      'custom_domain',
      `l.domain_id <> ''`,
      `l.domain_id = (${claimOf(bind(custom_domain))})`,
    );
  }
  if (state === 'expired') {
    const where = [...base, 'l.expires_at IS NOT NULL', 'l.disabled_at IS NULL'];
    return { index: 'links_ending', where, settles: [], tells: ['state'] };
  }
  return { index: 'links_live', where: base, settles: [], tells: ['state', 'sec_id'] };
}

const OF_CLIENT = `l.client_id = ${SOLE_CLIENT}`;
const IS_LIVE = 'l.deleted_at IS NULL';
const IS_DELETED = `l.deleted_at IS NOT NULL AND l.url <> ''`;

/** The client's claim to a host. The links of one that was removed are deleted. */
const claimOf = (host: string) =>
  `SELECT id FROM domains WHERE client_id = ${SOLE_CLIENT} AND host = ${host} AND removed_at IS NULL`;

// A slug that has led to the link counts too. In capitals it is another one, as it is for visitors.
function hasAddress(slug: string, customDomain: string | undefined, bind: Bind): string {
  const hosts =
    customDomain === undefined
      ? `SELECT '' AS id UNION ALL SELECT id FROM domains WHERE client_id = ${SOLE_CLIENT} AND removed_at IS NULL`
      : claimOf(bind(customDomain));
  const folded = bind(JSON.stringify([...new Set(Object.values(keysOf(slug)))]));
  return `l.id IN (
    SELECT a.link_id FROM (${hosts}) AS host CROSS JOIN json_each(${folded}) AS folded
    CROSS JOIN addresses a ON a.domain_id = host.id AND a.folded = folded.value
    WHERE a.slug = ${bind(slug)})`;
}

/** The words of the schema's indexes by which the planner knows them. */
const IS_CHOSEN = `(length(l.sec_id) <> ${MADE_ID.length} OR l.sec_id GLOB '*[^${MADE_ID.alphabet}]*')`;
// Whole targets would make the index as large as the table.
const urlKey = (text: string) => `length(${text}) || substr(${text}, 9, 24) || substr(${text}, -32)`;

/** Of a link that is not deleted. */
const IS_IN_STATE: Readonly<Record<Exclude<LinkState, 'deleted'>, string>> = {
  disabled: 'l.disabled_at IS NOT NULL',
  expired: 'l.disabled_at IS NULL AND l.expires_at <= ?5',
  active: 'l.disabled_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > ?5)',
};

function conditionsOf({ state, url, sec_id, campaign_name, custom_domain, q }: LinkFilters, bind: Bind): string[] {
  return [
    ...(state === undefined || state === 'deleted' ? [] : [IS_IN_STATE[state]]),
    ...(url === undefined ? [] : [`l.url = ${bind(url)}`]),
    ...(sec_id === undefined ? [] : [`l.sec_id = ${bind(sec_id)}`]),
    ...(campaign_name === undefined ? [] : [`l.campaign_name = ${bind(campaign_name)}`]),
    ...(custom_domain === undefined
      ? []
      : [`EXISTS (SELECT 1 FROM domains WHERE id = l.domain_id AND host = ${bind(custom_domain)})`]),
    ...(q === undefined ? [] : [isFound(q, bind)]),
  ];
}

// What is not ASCII stands percent-encoded in a target, and of a slug only its address knows the cases.
function isFound(q: string, bind: Bind): string {
  const inUrl = q.replaceAll(/\P{ASCII}+/gu, encodeURIComponent);
  const inSlug = bind(foldSlug(q));
  const found = `instr(lower(l.url), lower(${bind(inUrl)})) > 0 OR instr(lower(l.slug), lower(${inSlug})) > 0`;
  if (inUrl === q) return `(${found})`;
  return `(${found} OR EXISTS (
    SELECT 1 FROM addresses a WHERE a.link_id = l.id AND a.slug = l.slug AND instr(a.folded, ${inSlug}) > 0))`;
}

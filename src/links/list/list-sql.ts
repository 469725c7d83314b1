import { urlKey } from '../destinations/url-key.ts';
import { ACTING, SOLE_CLIENT } from '../../accounts/access.ts';
import type { Param } from '../../database/database.ts';
import { LISTED_COLUMNS, WITH_DOMAINS, type LinkState } from '../managed-link.ts';
import { SEARCHED_NAMES } from '../fields/content.ts';
import type { LinkFilters } from './filters.ts';
import { selectAll, selectPage } from './page-sql.ts';
import { matcherOf } from './search.ts';
import { foldSlug, isGeneratedId, keysOf, GENERATED_ID } from '../slugs/slug.ts';

/**
 * The SQL of a list of links. One index, chosen by the filters, finds them in order; it also checks as many of the
 * other filters as it can.
 */

/** The number of links that one page reads for `q`, for which there is no index. */
const MAX_SEARCHED = 500;
/** The number of links found by an index that one page reads for other filters, until it is full. */
const MAX_EXAMINED = 10_000;
/**
 * The number of entries of an index that it reads, if the index alone is enough for all filters: an entry costs a
 * twentieth of a look-up.
 */
const MAX_SCANNED = 50_000;

export interface ListSql {
  /** Selects the links of the page, and with `fits` 0 the last scanned one if the page ended at its bound. */
  readonly sql: string;
  /** Bound from ?8 on. */
  readonly params: readonly Param[];
}

/** The way to find the links of one filter. */
interface IndexPlan {
  /** The name of the index in the schema; null if the links are looked up by id. */
  readonly index: string | null;
  readonly where: readonly string[];
  /** The filters that `where` answers completely. */
  readonly settles: readonly (keyof LinkFilters)[];
  /** Conditions that are checked on each entry, so that a page examines a limited number of others. */
  readonly also?: readonly string[];
  /** Where the entries come from, if that is not `links`. */
  readonly from?: { readonly sql: string; readonly position: string; readonly order: string };
  /** The filters that can be checked on the entries of the index alone. */
  readonly covers?: readonly (keyof LinkFilters)[];
}

/**
 * @param position the row after which the page begins
 * @param limit how many rows to read
 */
export function listSqlOf(
  filters: LinkFilters,
  [beforeAt, beforeId]: readonly [number, string],
  limit: number,
): ListSql {
  const params: Param[] = [beforeAt, beforeId];
  const bind = (value: Param) => `?${params.push(value) + 7}`;
  const plan = planOf(filters, bind);
  const requested = Object.entries(filters).filter(([, value]) => value !== undefined);
  const open = requested.filter(([name]) => !plan.settles.some((settled) => settled === name));
  const left = [...(plan.also ?? []), ...conditionsOf(Object.fromEntries(open), bind)];
  const isByIndex = open.every(([name]) => plan.covers?.some((covered) => covered === name));
  const { sql: from, position, order } = plan.from ?? ofLinks(plan.index);
  const following = `WHERE ${plan.where.join(' AND ')} AND ${position} < (?8, ?9) ORDER BY ${order}`;
  const links = `FROM ${from} ${following}`;
  const asLimit = bind(limit);
  if (left.length === 0) return { sql: selectAll(from, `${following} LIMIT ${asLimit}`), params };
  const most = bind(filters.q !== undefined ? MAX_SEARCHED : isByIndex ? MAX_SCANNED : MAX_EXAMINED);
  // Stops reading when the page is full.
  const page = `SELECT id FROM (SELECT l.id, ${left.join(' AND ')} AS fits ${links} LIMIT ${most}) WHERE fits LIMIT ${asLimit}`;
  // How far the page has come is needed only if it is not full.
  const last = `SELECT l.id ${links} LIMIT (SELECT count(*) FROM page) < ${asLimit} OFFSET ${most} - 1`;
  return { sql: selectPage(page, last), params };
}

export const ofLinks = (index: string | null): Required<IndexPlan>['from'] => ({
  sql: `links l ${index === null ? '' : `INDEXED BY ${index}`}`,
  position: '(l.created_at, l.id)',
  order: 'l.created_at DESC, l.id DESC',
});

/** Selects some links in any order, and with `fits` whether they fit the filters. */
export function chosenSqlOf(filters: LinkFilters, ids: readonly string[]): ListSql {
  const params: Param[] = [JSON.stringify(ids)];
  const bind = (value: Param) => `?${params.push(value) + 7}`;
  const { state, slug, custom_domain, address } = filters;
  const conditions = [
    state === 'deleted' ? IS_DELETED : IS_LIVE,
    ...(slug === undefined ? [] : [hasSlug(slug, custom_domain, bind)]),
    ...(address === undefined ? [] : [hasAddress(address, bind)]),
    ...conditionsOf(filters, bind),
  ];
  return {
    sql: `${ACTING} SELECT (${conditions.join(' AND ')}) IS TRUE AS fits, ${LISTED_COLUMNS} FROM json_each(?8) AS chosen
      CROSS JOIN links l ON l.id = chosen.value ${WITH_DOMAINS}
      WHERE ${OF_CLIENT}`,
    params,
  };
}

type Bind = (value: Param) => string;

// The most selective filter first.
export function planOf(filters: LinkFilters, bind: Bind): IndexPlan {
  const { state, slug, address, url, sec_id, external_id, tag, campaign_name, custom_domain } = filters;
  const base = [OF_CLIENT, state === 'deleted' ? IS_DELETED : IS_LIVE];
  const by = (index: string, settles: keyof LinkFilters, ...where: string[]): IndexPlan => ({
    index,
    where: [...base, ...where],
    settles: [settles],
  });
  if (slug !== undefined) {
    return { index: null, where: [...base, hasSlug(slug, custom_domain, bind)], settles: ['slug', 'custom_domain'] };
  }
  if (address !== undefined) return { index: null, where: [...base, hasAddress(address, bind)], settles: ['address'] };
  if (external_id !== undefined) {
    return by('links_by_external_id', 'external_id', `l.external_id = ${bind(external_id)}`);
  }
  if (state === 'deleted') return by('links_deleted_of_client', 'state');
  if (url !== undefined) {
    const text = bind(url);
    return by('links_of_url', 'url', `${urlKey('l.url')} = ${urlKey(text)}`, `l.url = ${text}`);
  }
  if (sec_id !== undefined && !isGeneratedId(sec_id)) {
    return by('links_of_sec_id', 'sec_id', `l.sec_id = ${bind(sec_id)}`, IS_CHOSEN);
  }
  if (state === 'disabled') return by('links_disabled', 'state', 'l.disabled_at IS NOT NULL');
  if (tag?.[0] !== undefined) {
    return {
      index: 'links_of_tag',
      from: {
        sql: 'link_tags lt INDEXED BY links_of_tag CROSS JOIN links l ON l.id = lt.link_id',
        position: '(lt.created_at, lt.link_id)',
        order: 'lt.created_at DESC, lt.link_id DESC',
      },
      where: [`lt.tag_id = ${tagOf(bind(tag[0]))}`, OF_CLIENT],
      // Deleted links have their tags until they are removed.
      also: [IS_LIVE],
      settles: tag.length === 1 ? ['tag'] : [],
    };
  }
  if (campaign_name !== undefined) {
    const ofCampaign = by('links_of_campaign', 'campaign_name', isOfCampaign(campaign_name, bind));
    return { ...ofCampaign, covers: ['state'] };
  }
  if (custom_domain !== undefined) {
    const onDomain = `l.domain_id = (${claimOf(bind(custom_domain))})`;
    return { ...by('links_of_domain', 'custom_domain', `l.domain_id <> ''`, onDomain), covers: ['state'] };
  }
  if (state === 'expired') {
    const where = [...base, 'l.expires_at IS NOT NULL', 'l.disabled_at IS NULL'];
    return { index: 'links_ending', where, settles: [], covers: ['state'] };
  }
  return { index: 'links_live', where: base, settles: [], covers: ['state', 'sec_id'] };
}

const OF_CLIENT = `l.client_id = ${SOLE_CLIENT}`;
const IS_LIVE = 'l.deleted_at IS NULL';
const IS_DELETED = `l.deleted_at IS NOT NULL AND l.url <> ''`;

// A removed domain is left out, since its links are deleted.
const OWN_DOMAINS = `FROM domains WHERE client_id = ${SOLE_CLIENT} AND removed_at IS NULL`;

/** The client's domain of a host name. */
const claimOf = (host: string) => `SELECT id ${OWN_DOMAINS} AND host = ${host}`;

const tagOf = (folded: string) => `(SELECT id FROM tags WHERE client_id = ${SOLE_CLIENT} AND folded = ${folded})`;

// Former slugs of the link count too. The case counts where it counts for visitors.
function hasSlug(slug: string, customDomain: string | undefined, bind: Bind): string {
  const domains = `SELECT id, case_sensitive ${OWN_DOMAINS}`;
  const hosts =
    customDomain === undefined
      ? `SELECT '' AS id, FALSE AS case_sensitive UNION ALL ${domains}`
      : `${domains} AND host = ${bind(customDomain)}`;
  const isOfHost = `NOT host.case_sensitive OR a.folded = ${bind(keysOf(slug).exact)} OR a.slug = ${bind(slug)}`;
  return `l.id IN (${linksAt(hosts, slug, bind)} WHERE ${isOfHost})`;
}

function hasAddress(address: string, bind: Bind): string {
  const end = address.indexOf('/');
  const hosts = end === 0 ? `SELECT '' AS id` : claimOf(bind(address.slice(0, end)));
  return `l.id IN (${linksAt(hosts, address.slice(end + 1), bind)})`;
}

function linksAt(hosts: string, slug: string, bind: Bind): string {
  const folded = bind(JSON.stringify([...new Set(Object.values(keysOf(slug)))]));
  return `
    SELECT a.link_id FROM (${hosts}) AS host CROSS JOIN json_each(${folded}) AS folded
    CROSS JOIN addresses a ON a.domain_id = host.id AND a.folded = folded.value`;
}

const isOfCampaign = (name: string | readonly string[], bind: Bind) =>
  typeof name === 'string'
    ? `l.campaign_name = ${bind(name)}`
    : `l.campaign_name IN (SELECT value FROM json_each(${bind(JSON.stringify(name))}))`;

/** The expressions here must be those of the schema's indexes, or the planner does not use them. */
const IS_CHOSEN = `(length(l.sec_id) <> ${GENERATED_ID.length} OR l.sec_id GLOB '*[^${GENERATED_ID.alphabet}]*')`;
/** For links that are not deleted. */
const IS_IN_STATE: Readonly<Record<Exclude<LinkState, 'deleted'>, string>> = {
  disabled: 'l.disabled_at IS NOT NULL',
  expired: 'l.disabled_at IS NULL AND l.expires_at <= ?5',
  active: 'l.disabled_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > ?5)',
};

function conditionsOf(filters: LinkFilters, bind: Bind): string[] {
  const { state, url, sec_id, external_id, tag = [], campaign_name, custom_domain, q } = filters;
  return [
    ...(state === undefined || state === 'deleted' ? [] : [IS_IN_STATE[state]]),
    ...(url === undefined ? [] : [`l.url = ${bind(url)}`]),
    ...(sec_id === undefined ? [] : [`l.sec_id = ${bind(sec_id)}`]),
    ...(external_id === undefined ? [] : [`l.external_id = ${bind(external_id)}`]),
    ...tag.map((folded) => `EXISTS (SELECT 1 FROM link_tags WHERE link_id = l.id AND tag_id = ${tagOf(bind(folded))})`),
    ...(campaign_name === undefined ? [] : [isOfCampaign(campaign_name, bind)]),
    ...(custom_domain === undefined
      ? []
      : [`EXISTS (SELECT 1 FROM domains WHERE id = l.domain_id AND host = ${bind(custom_domain)})`]),
    ...(q === undefined ? [] : [isFound(q, bind)]),
  ];
}

// Targets are percent-encoded. Slugs outside ASCII are compared by the folded form of their address.
function isFound(q: string, bind: Bind): string {
  const inUrl = q.replaceAll(/\P{ASCII}+/gu, encodeURIComponent);
  const matches = matcherOf(q, bind);
  const found = [isIn('url', bind(inUrl)), ...SEARCHED_NAMES.map((name) => matches(`l.${name}`))];
  const folded = foldSlug(q);
  // A search text of invisible characters folds to '', which every slug contains.
  if (folded !== '') {
    const inSlug = bind(folded);
    found.push(isIn('slug', inSlug));
    if (inUrl !== q) {
      found.push(`EXISTS (
        SELECT 1 FROM addresses a WHERE a.link_id = l.id AND a.slug = l.slug AND instr(a.folded, ${inSlug}) > 0)`);
    }
  }
  return `(${found.join(' OR ')})`;
}

const isIn = (column: string, text: string) => `instr(lower(l.${column}), lower(${text})) > 0`;

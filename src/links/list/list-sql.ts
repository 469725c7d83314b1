import { urlKey } from '../destinations/url-key.ts';
import { ACTING, SOLE_CLIENT } from '../../accounts/access.ts';
import type { Param } from '../../database/database.ts';
import { LISTED_COLUMNS, WITH_DOMAINS } from '../managed-link.ts';
import { unhealthyLinksOf } from '../health/unhealthy.ts';
import { MAX_EXAMINED, type LinkFilters } from './filters.ts';
import {
  claimOf,
  conditionsOf,
  hasAddress,
  hasSlug,
  IS_CHOSEN,
  IS_DELETED,
  IS_IN_STATE,
  IS_LIVE,
  isOfCampaign,
  OF_CLIENT,
  tagOf,
  type Bind,
} from './list-conditions.ts';
import { selectAll, selectPage } from './page-sql.ts';
import { isGeneratedId } from '../slugs/slug.ts';

/**
 * The SQL of a list of links. One index, chosen by the filters, finds them in order; it also checks as many of the
 * other filters as it can.
 */

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
  const most = bind(isByIndex ? MAX_SCANNED : MAX_EXAMINED);
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

// The most selective filter first.
export function planOf(filters: LinkFilters, bind: Bind): IndexPlan {
  const { state, slug, address, url, sec_id, external_id, tag, campaign_name, custom_domain, unhealthy } = filters;
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
  if (unhealthy === true) {
    return {
      index: null,
      from: {
        ...ofLinks(null),
        sql: `${unhealthyLinksOf(SOLE_CLIENT)} AS unhealthy CROSS JOIN links l ON l.id = unhealthy.id`,
      },
      where: [...base, IS_IN_STATE.active],
      settles: ['unhealthy'],
    };
  }
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

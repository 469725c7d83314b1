import { SOLE_CLIENT } from '../../accounts/access.ts';
import type { Param } from '../../database/database.ts';
import { SEARCHED_NAMES } from '../fields/content.ts';
import { HAS_UNHEALTHY } from '../health/unhealthy.ts';
import type { LinkState } from '../managed-link.ts';
import { foldTag } from '../tags/names.ts';
import { foldSlug, GENERATED_ID, keysOf } from '../slugs/slug.ts';
import type { LinkFilters } from './filters.ts';
import { matcherOf } from '../../database/matcher.ts';

/** The conditions of the filters of a list on links `l`, in SQL. */

/** Binds a value and returns its placeholder. */
export type Bind = (value: Param) => string;

export const OF_CLIENT = `l.client_id = ${SOLE_CLIENT}`;
export const IS_LIVE = 'l.deleted_at IS NULL';
export const IS_DELETED = `l.deleted_at IS NOT NULL AND l.url <> ''`;

// A removed domain is left out, since its links are deleted.
const OWN_DOMAINS = `FROM domains WHERE client_id = ${SOLE_CLIENT} AND removed_at IS NULL`;

/** The client's domain of a host name. */
export const claimOf = (host: string) => `SELECT id ${OWN_DOMAINS} AND host = ${host}`;

export const tagOf = (folded: string) =>
  `(SELECT id FROM tags WHERE client_id = ${SOLE_CLIENT} AND folded = ${folded})`;

/** True for links with a slug, former ones too. The case counts where it counts for visitors. */
export function hasSlug(slug: string, customDomain: string | undefined, bind: Bind): string {
  const domains = `SELECT id, case_sensitive ${OWN_DOMAINS}`;
  const hosts =
    customDomain === undefined
      ? `SELECT '' AS id, FALSE AS case_sensitive UNION ALL ${domains}`
      : `${domains} AND host = ${bind(customDomain)}`;
  const isOfHost = `NOT host.case_sensitive OR a.folded = ${bind(keysOf(slug).exact)} OR a.slug = ${bind(slug)}`;
  return `l.id IN (${linksAt(hosts, slug, bind)} WHERE ${isOfHost})`;
}

export function hasAddress(address: string, bind: Bind): string {
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

export const isOfCampaign = (name: string | readonly string[], bind: Bind) =>
  typeof name === 'string'
    ? `l.campaign_name = ${bind(name)}`
    : `l.campaign_name IN (SELECT value FROM json_each(${bind(JSON.stringify(name))}))`;

/** Links with a chosen secondary id. The expression must be that of the schema's index, or the planner does not use it. */
export const IS_CHOSEN = `(length(l.sec_id) <> ${GENERATED_ID.length} OR l.sec_id GLOB '*[^${GENERATED_ID.alphabet}]*')`;
/** The states of links that are not deleted; by the expressions of the schema's indexes. */
export const IS_IN_STATE: Readonly<Record<Exclude<LinkState, 'deleted'>, string>> = {
  disabled: 'l.disabled_at IS NOT NULL',
  expired: 'l.disabled_at IS NULL AND l.expires_at <= ?5',
  active: 'l.disabled_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > ?5)',
};

export function conditionsOf(filters: LinkFilters, bind: Bind): string[] {
  const { state, url, sec_id, external_id, tag = [], campaign_name, custom_domain, unhealthy, q } = filters;
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
    ...(unhealthy === undefined
      ? []
      : [`${unhealthy ? '' : 'NOT '}(${IS_LIVE} AND ${IS_IN_STATE.active} AND ${HAS_UNHEALTHY})`]),
    ...(q === undefined ? [] : [isFound(q, bind)]),
  ];
}

// Targets are percent-encoded. Slugs outside ASCII are compared by the folded form of their address.
function isFound(q: string, bind: Bind): string {
  const inUrl = q.replaceAll(/\P{ASCII}+/gu, encodeURIComponent);
  const matches = matcherOf(q, bind);
  const inComments = matcherOf(q, bind, MAX_LETTERS_IN_COMMENTS);
  const found = [
    isIn('url', bind(inUrl)),
    ...SEARCHED_COLUMNS.map((name) => (name === 'comments' ? inComments : matches)(`l.${name}`)),
    hasTagNamed(q, bind),
  ];
  const folded = foldSlug(q);
  // A search text of invisible characters folds to '', which every slug contains.
  if (folded !== '') {
    const inSlug = bind(folded);
    found.push(isIn('slug', inSlug));
    if (inUrl !== q) {
      found.push(`l.slug GLOB '*[^ -~]*' AND EXISTS (
        SELECT 1 FROM addresses a WHERE a.link_id = l.id AND a.slug = l.slug AND instr(a.folded, ${inSlug}) > 0)`);
    }
  }
  return `(${found.join(' OR ')})`;
}

// They are ten times as long as the other texts, which are replaced letter by letter.
const MAX_LETTERS_IN_COMMENTS = 8;

const SEARCHED_COLUMNS = SEARCHED_NAMES.filter((name) => name !== 'tags');

// The tags of a link are read only if the client has one that is searched for.
function hasTagNamed(q: string, bind: Bind): string {
  const named = `SELECT id FROM tags WHERE client_id = ${SOLE_CLIENT} AND instr(folded, ${bind(foldTag(q.normalize()))}) > 0`;
  return `(EXISTS (${named}) AND EXISTS (
    SELECT 1 FROM link_tags lt WHERE lt.link_id = l.id AND lt.tag_id IN (${named})))`;
}

const isIn = (column: string, text: string) => `instr(lower(l.${column}), lower(${text})) > 0`;

import { LANGUAGE_TAGS } from '../../languages/list.ts';
import { isDestination, isWebUrl } from '../destinations/web-url.ts';
import { areRules, areVariants } from '../routes/stored-routes.ts';

/**
 * The facts about fields that a redirect needs, apart from the schemas and words of the table of fields, which a data
 * centre loads only for requests that are no redirects.
 */

/** The statuses of a redirect, the default first (RFC 9110, 15.4; RFC 7538 for 308). */
export const REDIRECT_STATUSES = [302, 301, 307, 308] as const;

/** The ways in which the query of a visit is passed on. */
export const FORWARDINGS = ['keep', 'override'] as const;

const ALWAYS = 'always';
const IF_SET = 'if_set';

/** The part of a `LinkField` that a redirect reads, by the names of columns, in the order of the table of fields. */
export const VISITOR_FIELDS = {
  url: { stored: 'text', isClearable: false, visitorsNeed: ALWAYS, isOfVisitors: isDestination },
  campaign_name: { stored: 'text', isClearable: true, visitorsNeed: ALWAYS },
  starts_at: { stored: 'instant', isClearable: true, visitorsNeed: IF_SET },
  expires_at: { stored: 'instant', isClearable: true, visitorsNeed: ALWAYS },
  max_clicks: { stored: 'integer', isClearable: true, visitorsNeed: IF_SET },
  expired_url: { stored: 'text', isClearable: true, visitorsNeed: IF_SET, isOfVisitors: isWebUrl },
  rules: { stored: 'json', isClearable: true, visitorsNeed: IF_SET, isOfVisitors: areRules },
  variants: { stored: 'json', isClearable: true, visitorsNeed: IF_SET, isOfVisitors: areVariants },
  fallback: { stored: 'text', isClearable: true, visitorsNeed: IF_SET, isOfVisitors: isWebUrl },
  redirect_status: {
    stored: 'integer',
    isClearable: true,
    visitorsNeed: IF_SET,
    isOfVisitors: (value: unknown) => REDIRECT_STATUSES.some((status) => status === value),
  },
  forward_query: {
    stored: 'text',
    isClearable: true,
    visitorsNeed: IF_SET,
    isOfVisitors: (value: unknown) => FORWARDINGS.some((forwarding) => forwarding === value),
  },
  forward_path: { stored: 'flag', isClearable: true, visitorsNeed: IF_SET },
  preview: { stored: 'json', isClearable: true, visitorsNeed: IF_SET, isOfVisitors: isPreview },
  inspectable: { stored: 'flag', isClearable: true, visitorsNeed: IF_SET },
  ask_first: { stored: 'flag', isClearable: true, visitorsNeed: IF_SET },
  language: {
    stored: 'text',
    isClearable: true,
    visitorsNeed: IF_SET,
    isOfVisitors: (value: unknown) => LANGUAGE_TAGS.some((tag) => tag === value),
  },
} as const;

function isPreview(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, text]) => (name === 'image' ? isWebUrl(text) : typeof text === 'string'));
}

import * as z from 'zod';
import { linkListQuery } from '../../../http/link-queries.ts';
import { parseFields, type Fields } from '../../../input/validation.ts';
import { lazy } from '../../../isolate/lazy.ts';
import type { Sort } from '../../../links/list/clicked-link.ts';
import type { LinkFilters } from '../../../links/list/filters.ts';
import { refuseOtherScheme } from '../../../links/input.ts';
import { LINK_STATES, type LinkState } from '../../../links/managed-link.ts';
import type { Site } from '../../../network/hosts.ts';
import type { PageWords, PlainKey } from '../../words.tsx';
import { destinationText } from '../destination.tsx';
import { displayHost } from '../display-url.ts';

/** The query of the list of links: what is shown is all in the address. */
export type ListQuery = Readonly<Record<string, string>>;

/** The parameters that the list takes. */
export const pageFields = lazy(() => {
  const { client_id: _, ...shape } = linkListQuery().shape;
  const sort = z
    .string()
    .refine((word) => orderOf(word) !== null, { error: `must be one of ${Object.keys(ORDERS).join(', ')}` })
    .default('created')
    .transform((word): Sort => orderOf(word)?.sort ?? 'created');
  return z.strictObject({ ...shape, sort });
});

type ParsedQuery = z.output<ReturnType<typeof pageFields>>;

/** Parses the parameters of the list. Throws the first fault, among them that of `refuseOtherScheme`. */
export function parseListQuery(fields: Fields, site: Site): ParsedQuery {
  // The first page of an isolate seldom has filters, and would wait for the schemas of all.
  const isPreset = Object.entries(fields).every(([name, value]) => name === 'q' && value === '');
  if (isPreset) return { limit: DEFAULT_ROWS, sort: 'created' };
  const query = parseFields(pageFields(), fields, site);
  if (query.url !== undefined) refuseOtherScheme(query.url, site);
  return query;
}

/** In which numbers rows are offered; the address may have others. */
export const ROWS = [25, 50, 100] as const;
export const DEFAULT_ROWS = 50;

export interface Order {
  readonly label: PlainKey;
  /** Its name in the API. */
  readonly sort: Sort;
  /** The hint that its label leaves out. */
  readonly hint?: PlainKey;
}

/** The orders of the list, by their words in its address. On the pages, clicks are those of people. */
export const ORDERS = {
  created: { label: 'linkList.newest', sort: 'created' },
  clicks: { label: 'linkList.mostClicks', sort: 'humans', hint: 'linkList.byPeople' },
  last_click: { label: 'linkList.lastClick', sort: 'last_click', hint: 'linkList.byAll' },
} as const satisfies Readonly<Record<string, Order>>;

/** The order of a word in an address, which can also be that of the API; null if there is none. */
export function orderOf(word: string): Order | null {
  const named = Object.entries(ORDERS).find(([name, { sort }]) => name === word || sort === word);
  return named?.[1] ?? null;
}

/** The address of the first page of a list with other parameters; null leaves one out. */
export function addressWith(path: string, query: ListQuery, changes: Readonly<Record<string, string | null>>): string {
  const all: Readonly<Record<string, string | null>> = { ...query, cursor: null, ...changes };
  const params = Object.entries(all).flatMap(([name, value]) =>
    value === null || value === DEFAULTS[name] ? [] : [[name, value]],
  );
  return [path, new URLSearchParams(params).toString()].filter(Boolean).join('?');
}

const DEFAULTS: ListQuery = { sort: 'created', limit: String(DEFAULT_ROWS) };

const FILTER_LABELS = {
  q: 'linkList.search',
  campaign_name: 'linkForm.campaignName',
  sec_id: 'linkForm.secId',
  external_id: 'linkForm.externalId',
  custom_domain: 'linkForm.customDomain',
  state: 'linkList.status',
  unhealthy: 'linkForm.url',
  tag: 'linkList.tag',
  slug: 'linkForm.slug',
  url: 'linkForm.url',
} as const satisfies Record<Exclude<keyof LinkFilters, 'address'>, PlainKey>;

const STATES: Readonly<Record<LinkState, PlainKey>> = {
  active: 'linkList.onlyActive',
  expired: 'linkList.onlyExpired',
  disabled: 'linkList.onlyDisabled',
  deleted: 'linkList.onlyDeleted',
};

const READABLE: Readonly<Record<string, (words: PageWords, value: string) => string>> = {
  custom_domain: (_, value) => displayHost(value),
  url: (_, value) => destinationText(value),
  state: ({ text }, value) => {
    const state = LINK_STATES.find((known) => known === value);
    return state === undefined ? value : text(STATES[state]);
  },
  unhealthy: ({ text }, value) => text(value === 'true' ? 'linkList.onlyUnhealthy' : 'linkList.notUnhealthy'),
};

/** A filter that is on. */
export interface ActiveFilter {
  readonly name: string;
  readonly label: string;
  /** Its value as people read it. */
  readonly value: string;
}

/** The names of the filters that are on. */
export const filterNamesOf = (query: ListQuery): readonly string[] =>
  Object.keys(FILTER_LABELS).filter((name) => query[name] !== undefined);

export function activeFiltersOf(words: PageWords, query: ListQuery): readonly ActiveFilter[] {
  return Object.entries(FILTER_LABELS).flatMap(([name, label]) => {
    const value = query[name];
    if (value === undefined) return [];
    return [{ name, label: words.text(label), value: READABLE[name]?.(words, value) ?? value }];
  });
}

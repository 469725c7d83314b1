import * as z from 'zod';
import {
  DEFAULT_DESTINATION,
  FILTER_NAMES,
  filterFields,
  toFilters,
  type FilterQuery,
} from '../../clicks/filter-fields.ts';
import { lazy } from '../../isolate/lazy.ts';
import type { Filters } from '../../statistics/questions/filters.ts';
import { addDays, dayOf, daysBetween } from '../../time/day.ts';
import { quote } from '../../text/quote.ts';
import type { Dimension } from '../../clicks/report.ts';
import type { PageWords } from '../words.tsx';
import type { Breakdowns } from './cards.ts';
import { isGraph, type GraphName } from './graphs.ts';
import { isPeriod, PRESET, type Chosen } from './periods.ts';

/** The view that the address of a page of click statistics asks for. */
export interface View {
  readonly chosen: Chosen;
  readonly isCompared: boolean;
  /** The number that the chart shows; null for the first one that is known. */
  readonly graph: GraphName | null;
  /** The breakdown that is shown as a whole; null for the page of all. */
  readonly card: Dimension | null;
  /** The values of each filter, as the address has them. */
  readonly filters: Chips;
}

type Chips = Partial<Readonly<Record<FilterName, readonly string[]>>>;
export type FilterName = keyof FilterQuery | 'link';

/** In the order in which they are shown. */
export const SHOWN_FILTERS = ['link', ...FILTER_NAMES] as const;

const MAX_DAYS = 400;
const MAX_LINKS = 100;
const FIRST_DAY = '2000-01-01';
const LINK_ID = /^[\w-]{1,64}$/;

/** The query of a page, with all values of the parameters that may be repeated. */
interface PageQuery {
  readonly fields: Readonly<Record<string, string>>;
  readonly lists: Readonly<Partial<Record<string, readonly string[]>>>;
}

/**
 * Reads an address. What it says that is not valid is left out, and each such thing has a sentence.
 *
 * @param breakdowns those that the page has
 */
export function parseView(
  words: PageWords,
  { fields, lists }: PageQuery,
  breakdowns: Breakdowns,
): { view: View; faults: string[] } {
  const { text } = words;
  const faults: string[] = [];
  const { compare, card, graph } = fields;
  if (compare !== undefined && compare !== 'previous') {
    faults.push(text('clicks.unknownComparison', { word: quote(compare) }));
  }
  const shown = [...breakdowns.cards, ...breakdowns.more].find((each) => each === card);
  if (card !== undefined && shown === undefined && !FORMER_CARDS.has(card)) {
    faults.push(text('clicks.unknownCard', { word: quote(card) }));
  }
  if (graph !== undefined && !isGraph(graph)) faults.push(text('clicks.unknownNumber', { word: quote(graph) }));
  const view = {
    chosen: periodIn(words, fields, faults),
    isCompared: compare === 'previous',
    graph: graph !== undefined && isGraph(graph) ? graph : null,
    card: shown ?? null,
    filters: filtersIn(words, lists, faults),
  };
  return { view, faults };
}

/** Cards of an earlier version, which had several breakdowns each. All of these are in view now. */
const FORMER_CARDS: ReadonlySet<string> = new Set(['sources', 'locations', 'technology', 'links', 'destinations']);

function periodIn(words: PageWords, { period, days, from, to }: PageQuery['fields'], faults: string[]): Chosen {
  if (from !== undefined || to !== undefined) return rangeIn(words, from, to ?? from, faults) ?? PRESET;
  const name = period ?? (days === undefined ? PRESET : `${days}d`);
  if (isPeriod(name)) return name;
  faults.push(words.text('clicks.unknownPeriod', { word: quote(period ?? days ?? '') }));
  return PRESET;
}

const day = lazy(() => z.iso.date());

function rangeIn(
  { text }: PageWords,
  first: string | undefined,
  last: string | undefined,
  faults: string[],
): Chosen | null {
  // A day further in the future than in any zone.
  const latest = addDays(dayOf(Date.now()), 1);
  const [from, end] = [first, last].map((typed) => day().safeParse(typed).data);
  const to = end !== undefined && end > latest ? latest : end;
  const isValid =
    from !== undefined &&
    to !== undefined &&
    from >= FIRST_DAY &&
    from <= latest &&
    from <= to &&
    daysBetween(from, to) < MAX_DAYS;
  if (isValid) return { from, to };
  faults.push(text('clicks.invalidDays', { most: MAX_DAYS }));
  return null;
}

function filtersIn({ text }: PageWords, lists: PageQuery['lists'], faults: string[]): Chips {
  const found = SHOWN_FILTERS.flatMap((name) => {
    const values = [...new Set(lists[name])];
    if (values.length === 0) return [];
    const most = name === 'link' ? MAX_LINKS : 50;
    const kept = values.slice(0, most).flatMap((value) => textOf(name, value) ?? []);
    if (kept.length < values.length) {
      const refused = values.find((value, index) => index >= most || textOf(name, value) === null) ?? '';
      faults.push(text('clicks.invalidFilter', { filter: `${name}=${quote(refused)}` }));
    }
    return kept.length === 0 ? [] : [[name, [...new Set(kept)]] as const];
  });
  return Object.fromEntries(found);
}

/** The value of a filter as the address has it, such as DE of de; null if no click can have it. */
function textOf(name: FilterName, value: string): string | null {
  if (name === 'link') return LINK_ID.test(value) ? value : null;
  const word = filterFields()[name].safeParse([value]).data?.[0];
  return word === undefined ? null : (wordAsText(name, word) ?? null);
}

const wordAsText = (name: FilterName, word: string): string =>
  word === '' ? (name === 'destination' ? DEFAULT_DESTINATION : 'null') : word;

/** The filters of a question, all except that of links. */
export function filtersOf(chips: Chips): Filters {
  const words = FILTER_NAMES.flatMap((name) => {
    const parsed = chips[name] && filterFields()[name].safeParse(chips[name]).data;
    return parsed ? [[name, parsed] as const] : [];
  });
  return toFilters(Object.fromEntries(words));
}

/** The address of a view; what it says by itself is left out. */
export function addressOf(path: string, view: View, more: Readonly<Record<string, string>> = {}): string {
  const { chosen } = view;
  const days =
    typeof chosen !== 'string' ? { from: chosen.from, to: chosen.to } : chosen === PRESET ? {} : { period: chosen };
  const query = new URLSearchParams([...Object.entries(days), ...keptOf(view), ...Object.entries(more)]);
  return query.size === 0 ? path : `${path}?${String(query)}`;
}

/** The parameters of a view except those of its period. */
export function keptOf({ isCompared, graph, card, filters }: View): [name: string, value: string][] {
  return [
    ...(isCompared ? [['compare', 'previous'] as [string, string]] : []),
    ...(graph === null ? [] : [['graph', graph] as [string, string]]),
    ...(card === null ? [] : [['card', card] as [string, string]]),
    ...SHOWN_FILTERS.flatMap((name) => (filters[name] ?? []).map((value): [string, string] => [name, value])),
  ];
}

/** The given view with another value of a filter, or without it. */
export function withFilter(view: View, name: FilterName, value: string): View {
  const values = view.filters[name] ?? [];
  return { ...view, filters: { ...view.filters, [name]: [...values.filter((each) => each !== value), value] } };
}

export function withoutFilter(view: View, name: FilterName, value: string): View {
  const values = view.filters[name]?.filter((each) => each !== value) ?? [];
  const { [name]: _, ...others } = view.filters;
  return { ...view, filters: values.length === 0 ? others : { ...others, [name]: values } };
}

import { AppError } from '../../errors.ts';
import type { Site } from '../../network/hosts.ts';
import {
  activeFiltersOf,
  addressWith,
  orderOf,
  parseListQuery,
  type ActiveFilter,
  type ListQuery,
} from '../links/list/list-query.ts';
import type { PageWords } from '../words.tsx';

/** The filters and the order of the list of links as a text that can be kept: a query without a `?`. */

const MAX_CHARACTERS = 2048;
const OF_ONE_PAGE: ReadonlySet<string> = new Set(['created', 'cursor']);

/** The text of a query, in an order of its own, without a position in the list; '' for the whole list. */
export function contentOf(query: ListQuery): string {
  const params = Object.entries(query).filter(([name, value]) => value !== '' && !OF_ONE_PAGE.has(name));
  return addressWith('', Object.fromEntries(params.toSorted(([a], [b]) => (a < b ? -1 : 1))), {}).replace(/^\?/, '');
}

/** The query of such a text, however it was changed. */
const queryOf = (content: string): ListQuery =>
  Object.fromEntries(new URLSearchParams(content.slice(0, MAX_CHARACTERS)));

/** Checks that the list takes a query, and returns its text. Throws what the list throws, and `too_long`. */
export function checkedContent(text: string, site: Site): string {
  if (text.length > MAX_CHARACTERS) throw new AppError('too_long', 'These filters are too long to be saved.');
  const { tag, ...query } = queryOf(text);
  if (contentOf(queryOf(text)) === '')
    throw new AppError('invalid_query', 'Choose a filter or an order of the list first.');
  parseListQuery({ ...query, ...(tag !== undefined && { tag: [tag] }) }, site);
  return contentOf(queryOf(text));
}

/** The parts of a view, for people: its filters and its order. */
export function partsOf(words: PageWords, content: string): readonly Omit<ActiveFilter, 'name'>[] {
  const query = queryOf(content);
  const order = orderOf(query['sort'] ?? '');
  const { text } = words;
  return [
    ...activeFiltersOf(words, query),
    ...(order === null ? [] : [{ label: text('linkList.order'), value: text(order.label) }]),
  ];
}

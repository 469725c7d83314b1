import type { Sort } from '../../../links/list/clicked-link.ts';
import type { LinkCount } from '../../../links/list/count.ts';
import { formatCount } from '../../kit/numbers.ts';
import { activeFiltersOf, addressWith, DEFAULT_ROWS, ORDERS, ROWS, type ListQuery, type Order } from './list-query.ts';

interface ListHeadProps {
  /** The path of the list. */
  readonly path: string;
  readonly query: ListQuery;
  /** The number of links; null if that is not known. */
  readonly count: LinkCount | null;
  readonly sort: Sort;
}

/** Above a list: how many links it has, by which filters, in which order. Each filter is a link to the list without it. */
export function ListHead({ path, query, count, sort }: ListHeadProps) {
  return (
    <div class="list-head">
      {count && (
        <p class="count" data-said>
          {nameCount(count)}
        </p>
      )}
      <ActiveFilters path={path} query={query} />
      <nav class="periods" aria-label="Order">
        {Object.entries<Order>(ORDERS).map(([word, order]) => (
          <a
            href={addressWith(path, query, { sort: word })}
            aria-current={order.sort === sort ? 'true' : undefined}
            title={order.hint}
          >
            {order.label}
          </a>
        ))}
      </nav>
    </div>
  );
}

function nameCount({ links, hasMore }: LinkCount): string {
  if (hasMore) return `${formatCount(links)}+ links`;
  return links === 1 ? '1 link' : `${formatCount(links)} links`;
}

function ActiveFilters({ path, query }: { path: string; query: ListQuery }) {
  const filters = activeFiltersOf(query);
  if (filters.length === 0) return null;
  return (
    <ul class="pills" aria-label="Filters">
      {filters.map(({ name, label, value }) => (
        <li>
          <a class="pill" href={addressWith(path, query, { [name]: null })} title={value}>
            <span class="unseen">Remove the filter </span>
            <span class="quiet">{label}</span> <bdi>{value}</bdi>
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Below a list: how many rows its pages have. */
export function RowsChoice({ path, query }: { path: string; query: ListQuery }) {
  const rows = query['limit'] ?? String(DEFAULT_ROWS);
  return (
    <nav class="periods rows" aria-label="Rows a page">
      {ROWS.map((each) => (
        <a
          href={addressWith(path, query, { limit: String(each) })}
          aria-current={String(each) === rows ? 'true' : undefined}
        >
          {each}
        </a>
      ))}
    </nav>
  );
}

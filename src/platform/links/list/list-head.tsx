import type { Sort } from '../../../links/list/clicked-link.ts';
import type { LinkCount } from '../../../links/list/count.ts';
import { Icon } from '../../../design/icon.tsx';
import { Menu } from '../../kit/menu.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { activeFiltersOf, addressWith, DEFAULT_ROWS, ORDERS, ROWS, type ListQuery, type Order } from './list-query.ts';

interface PlaceProps {
  /** The path of the list. */
  readonly path: string;
  readonly query: ListQuery;
}

/** The number of links of a list, in words. */
export function Count({ links, hasMore }: LinkCount) {
  return (
    <p class="count" data-said>
      {hasMore ? `${formatCount(links)}+ links` : links === 1 ? '1 link' : `${formatCount(links)} links`}
    </p>
  );
}

/** The orders of a list, behind the one that it has. */
export function OrderMenu({ path, query, sort }: PlaceProps & { sort: Sort }) {
  const orders = Object.entries<Order>(ORDERS);
  const present = orders.find(([, order]) => order.sort === sort)?.[1] ?? ORDERS.created;
  return (
    <Menu kind="filter" label="Order" before={<Icon name="arrow-down-wide-narrow" />} summary={present.label} end>
      <nav aria-label="Order">
        {orders.map(([word, order]) => (
          <a
            href={addressWith(path, query, { sort: word })}
            aria-current={order === present ? 'true' : undefined}
            title={order.hint}
          >
            {order.label}
          </a>
        ))}
      </nav>
    </Menu>
  );
}

/** The filters that are on, each a link to the list without it. */
export function ActiveFilters({ path, query }: PlaceProps) {
  const filters = activeFiltersOf(query);
  if (filters.length === 0) return null;
  return (
    <ul class="pills" aria-label="Filters">
      {filters.map(({ name, label, value }) => (
        <li>
          <a class="pill" href={addressWith(path, query, { [name]: null })} title={value}>
            <span class="unseen">Remove the filter </span>
            <span>{label}</span> <bdi>{value}</bdi>
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <a class="pill" data-idle="" href={path}>
            Clear all
          </a>
        </li>
      )}
    </ul>
  );
}

/** Below a list: how many rows its pages have. */
export function RowsChoice({ path, query }: PlaceProps) {
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

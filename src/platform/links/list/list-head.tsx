import type { Sort } from '../../../links/list/clicked-link.ts';
import type { LinkCount } from '../../../links/list/count.ts';
import { Icon } from '../../../design/icon.tsx';
import { Menu } from '../../kit/menu.tsx';
import { useWords } from '../../words.tsx';
import { activeFiltersOf, addressWith, DEFAULT_ROWS, ORDERS, ROWS, type ListQuery, type Order } from './list-query.ts';

interface PlaceProps {
  /** The path of the list. */
  readonly path: string;
  readonly query: ListQuery;
}

/** The number of links of a list, in words. */
export function Count({ links: count, hasMore }: LinkCount) {
  const { text } = useWords();
  return (
    <p class="count" data-said>
      {hasMore ? text('linkList.atLeast', { count }) : text('counts.links', { count })}
    </p>
  );
}

/** The orders of a list, behind the one that it has. */
export function OrderMenu({ path, query, sort }: PlaceProps & { sort: Sort }) {
  const { text } = useWords();
  const orders = Object.entries<Order>(ORDERS);
  const present = orders.find(([, order]) => order.sort === sort)?.[1] ?? ORDERS.created;
  return (
    <Menu
      kind="filter"
      label={text('linkList.order')}
      before={<Icon name="arrow-down-wide-narrow" />}
      summary={text(present.label)}
      end
    >
      <nav aria-label={text('linkList.order')}>
        {orders.map(([word, order]) => (
          <a
            href={addressWith(path, query, { sort: word })}
            aria-current={order === present ? 'true' : undefined}
            title={order.hint && text(order.hint)}
          >
            {text(order.label)}
          </a>
        ))}
      </nav>
    </Menu>
  );
}

const unseen = (inside: string[]) => <span class="unseen">{inside}</span>;
const span = (inside: string[]) => <span>{inside}</span>;

/** The filters that are on, each a link to the list without it. */
export function ActiveFilters({ path, query }: PlaceProps) {
  const words = useWords();
  const { text } = words;
  const filters = activeFiltersOf(words, query);
  if (filters.length === 0) return null;
  return (
    <ul class="pills" aria-label={text('linkList.filters')}>
      {filters.map(({ name, label, value }) => (
        <li>
          <a class="pill" href={addressWith(path, query, { [name]: null })} title={value}>
            {words.content('linkList.removeFilter', { label, value, unseen, span })}
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <a class="pill" data-idle="" href={path}>
            {text('linkList.clearAll')}
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
    <nav class="periods rows" aria-label={useWords().text('linkList.rows')}>
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

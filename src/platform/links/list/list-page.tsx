import type { Site } from '../../../network/hosts.ts';
import type { Domain } from '../../../domains/domain.ts';
import type { Preset } from '../../../links/presets/presets.ts';
import { MAX_EXAMINED } from '../../../links/list/filters.ts';
import type { RecentLinkPage } from '../../../links/list/recent-links.ts';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import { Icon } from '../../../design/icon.tsx';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { EmptyState, Notice } from '../../kit/notice.tsx';
import { Pager } from '../../kit/table.tsx';
import { timeIn } from '../../kit/time.tsx';
import { clientPath } from '../../nav.ts';
import { ViewBar } from '../../views/view-bar.tsx';
import { useWords } from '../../words.tsx';
import { LinkTable } from './link-table.tsx';
import { ActiveFilters, Count, RowsChoice } from './list-head.tsx';
import { Filters } from './filters.tsx';
import { filterNamesOf, addressWith, DEFAULT_ROWS, orderOf, ROWS, type ListQuery } from './list-query.ts';
import { FirstLink } from './first-link.tsx';

/** The style sheets of the list. */
export const LIST_STYLES = ['list.css'] as const;

interface LinksPageProps {
  readonly client: OwnClient;
  readonly site: Site;
  readonly timeZone: string;
  readonly domains: readonly Domain[];
  /** The campaigns that its links have. */
  readonly campaigns: readonly string[];
  /** Its tags. */
  readonly tags: readonly ColouredTag[];
  /** The views that the workspace has saved. */
  readonly views: readonly Preset[];
  readonly query: ListQuery;
  readonly form: FormState;
  /** The links, and how many the page may have; null if the query has a fault. */
  readonly found: FoundLinks | null;
  /** The id of the link that has just been created here, as the address says. */
  readonly created: string | undefined;
}

type FoundLinks = RecentLinkPage & { readonly limit: number };

/** The list of a client's links. */
export function LinksPage(props: LinksPageProps) {
  const { client, site, query, found, form, domains, campaigns, tags, views } = props;
  const { text } = useWords();
  const path = clientPath(client, 'links');
  const isFiltered = filterNamesOf(query).length > 0;
  const sort = found?.sort ?? orderOf(query['sort'] ?? 'created')?.sort ?? 'created';
  const isFirst = query['cursor'] === undefined;
  const isNew = found?.links.length === 0 && found.cursor === null && isFirst && !isFiltered;
  const hosts = domains.map(({ host }) => host);
  return (
    <>
      <div class="list-top">
        <h1>{text('linkList.title')}</h1>
        {found?.count && <Count {...found.count} />}
        <ButtonLink href={`${path}/files`}>
          <Icon name="upload" />
          <span class="list-files">{text('kit.importOrExport')}</span>
        </ButtonLink>
      </div>
      {isNew ? (
        <FirstLink path={path} host={(site.publicUrl ?? site.requestUrl).host} />
      ) : (
        <>
          <Filters {...{ form, hosts, campaigns, tags, path, query }} sort={sort} />
          <div class="list-state">
            <ViewBar {...{ client, views, query }} />
            <ActiveFilters path={path} query={query} />
          </div>
          {found && <Found {...props} found={found} path={path} />}
        </>
      )}
    </>
  );
}

/** True if the first page of a list is that of a search text without other filters. */
const isSearchAlone = (query: ListQuery): boolean =>
  query['cursor'] === undefined && filterNamesOf(query).every((name) => name === 'q');

function Found(props: LinksPageProps & { readonly found: FoundLinks; readonly path: string }) {
  const words = useWords();
  const { text } = words;
  const { client, site, timeZone, query, path, created, found, tags } = props;
  const { links, cursor, scannedTo } = found;
  const hasMore = cursor !== null;
  const isOfNewest = found.sort === 'created' && isSearchAlone(query);
  const next = cursor === null ? null : addressWith(path, query, { cursor });
  const first = query['cursor'] === undefined ? null : addressWith(path, query, {});
  const isCut = links.length < found.limit && hasMore && scannedTo !== null;
  const note =
    isCut &&
    (isOfNewest
      ? words.content('linkList.searchedNewest', { most: MAX_EXAMINED, ...timeIn(words, scannedTo, timeZone) })
      : words.content('linkList.searchedTo', timeIn(words, scannedTo, timeZone)));
  return (
    <>
      {found.sort !== orderOf(query['sort'] ?? 'created')?.sort && (
        <Notice kind="warning">{text('linkList.noClicks')}</Notice>
      )}
      {links.length > 0 ? (
        <LinkTable {...{ client, site, timeZone, query, links, created, tags }} />
      ) : (
        <EmptyState title={text(hasMore ? 'linkList.nothingYet' : 'linkList.nothing')}>
          {text(hasMore ? 'linkList.nothingYetHint' : 'linkList.nothingHint')}
        </EmptyState>
      )}
      <div class="list-foot">
        <Pager
          next={next}
          first={first}
          note={note}
          nextLabel={text(isCut ? 'linkList.searchOlder' : 'kit.nextPage')}
        />
        {(hasMore || links.length > ROWS[0] || found.limit !== DEFAULT_ROWS) && (
          <RowsChoice path={path} query={query} />
        )}
      </div>
    </>
  );
}

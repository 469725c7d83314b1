import type { Site } from '../../../network/hosts.ts';
import type { Domain } from '../../../domains/domain.ts';
import type { Preset } from '../../../links/presets/presets.ts';
import type { RecentLinkPage } from '../../../links/list/recent-links.ts';
import { SEARCHED_NAMES } from '../../../links/fields/content.ts';
import { linkFields } from '../../../links/fields/table.ts';
import { LINK_STATES } from '../../../links/managed-link.ts';
import type { ColouredTag } from '../../../links/tags/tags.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { Field, Hidden, Select } from '../../kit/form.tsx';
import { EmptyState, Notice } from '../../kit/notice.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { Summary } from '../../kit/summary.tsx';
import { Pager } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { clientPath } from '../../nav.ts';
import { TAGS, Tags } from '../../tags/offered.tsx';
import { ViewBar } from '../../views/view-bar.tsx';
import { CAMPAIGNS, Campaigns } from '../campaigns.tsx';
import { LinkTable } from './link-table.tsx';
import { ListHead, RowsChoice } from './list-head.tsx';
import { activeFiltersOf, addressWith, DEFAULT_ROWS, orderOf, ROWS, type ListQuery } from './list-query.ts';
import { QuickCreate } from './quick-create.tsx';
import { displayHost } from '../display-url.ts';

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
  const path = clientPath(client, 'links');
  const isFiltered = activeFiltersOf(query).length > 0;
  const isFirst = query['cursor'] === undefined;
  const isNew = found?.links.length === 0 && found.cursor === null && isFirst && !isFiltered;
  const hosts = domains.map(({ host }) => host);
  return (
    <>
      <PageHeader
        title="Links"
        lead="All short links of this workspace."
        actions={
          <>
            <ButtonLink href={clientPath(client, 'tags')}>Tags</ButtonLink>
            <ButtonLink href={`${path}/files`}>Import or export</ButtonLink>
            <ButtonLink href={`${path}/new`}>Create link</ButtonLink>
          </>
        }
      />
      <QuickCreate
        path={path}
        serviceHost={(site.publicUrl ?? site.requestUrl).host}
        hosts={domains.filter(({ status }) => status === 'active').map(({ host }) => host)}
      />
      {isNew ? (
        <EmptyState title="No links yet">
          Create your first link here, import links from a file, or create them with the API.
        </EmptyState>
      ) : (
        <>
          <ViewBar {...{ client, views, query }} />
          <Filters {...{ form, hosts, campaigns, tags, path, isFiltered }} />
          {found && <Found {...props} found={found} path={path} />}
        </>
      )}
    </>
  );
}

/** The fields that `q` searches, such as "Destination, slug or title". */
const SEARCHED = [linkFields.url, linkFields.slug, ...SEARCHED_NAMES.map((name) => linkFields[name])]
  .map(({ label }, index) => (index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1)))
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

const STATE_OPTIONS = [
  { value: '', label: 'All except deleted' },
  ...LINK_STATES.map((state) => ({ value: state, label: state.charAt(0).toUpperCase() + state.slice(1) })),
];

function Filters({
  form,
  hosts,
  campaigns,
  tags,
  path,
  isFiltered,
}: {
  form: FormState;
  hosts: readonly string[];
  campaigns: readonly string[];
  tags: readonly ColouredTag[];
  path: string;
  isFiltered: boolean;
}) {
  // What filters the list is above it.
  const hasFault = ['campaign_name', 'tag', 'url', 'sec_id', 'external_id', 'custom_domain', 'state'].some(
    (name) => form.faults[name],
  );
  const shared = { form, optional: true } as const;
  // These have no field beside which their faults could be shown.
  const complaint = form.complaint ?? ['cursor', 'sort', 'limit'].map((name) => form.faults[name]).find(Boolean);
  return (
    <form class="filters" method="get" action={path} role="search" data-live>
      {complaint && <Summary form={{ ...form, faults: {}, complaint }} />}
      <div class="search">
        <Field form={form} name="q" type="search" label="Search" placeholder={SEARCHED} optional />
        <Button kind="quiet">Search</Button>
        {isFiltered && <ButtonLink href={path}>Clear</ButtonLink>}
      </div>
      {['sort', 'limit'].map((name) => form.values[name] && <Hidden name={name} value={form.values[name]} />)}
      <details open={hasFault}>
        <summary>Filters</summary>
        <div class="filter-fields">
          <Field {...shared} name="campaign_name" label="Campaign" list={CAMPAIGNS} />
          <Campaigns names={campaigns} />
          <Field {...shared} name="tag" label="Tag" list={TAGS} />
          <Tags tags={tags} />
          <Field
            {...shared}
            name="url"
            type="url"
            label="Leads to exactly"
            placeholder="https://example.com/page"
            code
          />
          <Field {...shared} name="sec_id" label="Secondary ID" code />
          <Field {...shared} name="external_id" label={linkFields.external_id.label} code />
          {hosts.length > 0 && (
            <Select
              {...shared}
              name="custom_domain"
              label="Domain"
              options={[
                { value: '', label: 'All' },
                ...hosts.map((host) => ({ value: host, label: displayHost(host) })),
              ]}
            />
          )}
          <Select {...shared} name="state" label="Status" options={STATE_OPTIONS} />
        </div>
      </details>
    </form>
  );
}

function Found(props: LinksPageProps & { readonly found: FoundLinks; readonly path: string }) {
  const { client, site, timeZone, query, path, created, found, tags } = props;
  const { links, cursor, scannedTo } = found;
  const hasMore = cursor !== null;
  const next = cursor === null ? null : addressWith(path, query, { cursor });
  const first = query['cursor'] === undefined ? null : addressWith(path, query, {});
  const note = links.length < found.limit && hasMore && scannedTo !== null && (
    <>
      Searched links back to <Time at={scannedTo} timeZone={timeZone} />.
    </>
  );
  return (
    <>
      {found.sort !== orderOf(query['sort'] ?? 'created')?.sort && (
        <Notice kind="warning">The clicks are temporarily unavailable, so the newest links are first.</Notice>
      )}
      <ListHead {...{ path, query }} count={found.count} sort={found.sort} />
      {links.length > 0 ? (
        <LinkTable {...{ client, site, timeZone, query, links, created, tags }} />
      ) : (
        <EmptyState title={hasMore ? 'No links found so far' : 'No links found'}>
          {hasMore
            ? 'Older links have not been searched yet.'
            : 'No link matches. Try a shorter search text or fewer filters. Deleted links are shown only with the status Deleted.'}
        </EmptyState>
      )}
      <div class="list-foot">
        <Pager next={next} first={first} note={note} nextLabel={note ? 'Search older links' : 'Next page'} />
        {(hasMore || links.length > ROWS[0] || found.limit !== DEFAULT_ROWS) && (
          <RowsChoice path={path} query={query} />
        )}
      </div>
    </>
  );
}

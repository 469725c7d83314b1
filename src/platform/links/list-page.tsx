import type { Site } from '../../hosts.ts';
import type { LinkPage } from '../../links/list/link-page.ts';
import { SEARCHED_NAMES } from '../../links/fields/content.ts';
import { linkFields } from '../../links/fields/table.ts';
import { LINK_STATES } from '../../links/managed.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { Button, ButtonLink } from '../kit/button.tsx';
import { Field, Select } from '../kit/form.tsx';
import { EmptyState } from '../kit/notice.tsx';
import { PageHeader } from '../kit/section.tsx';
import { Summary } from '../kit/summary.tsx';
import { Pager } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { CAMPAIGNS, Campaigns } from './campaigns.tsx';
import { LinkTable } from './link-table.tsx';

interface LinksPageProps {
  readonly client: OwnClient;
  readonly site: Site;
  readonly timeZone: string;
  /** The custom domains of the client. */
  readonly hosts: readonly string[];
  /** The campaigns that its links have. */
  readonly campaigns: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly form: FormState;
  /** Null if the query has a fault. */
  readonly found: LinkPage | null;
  /** Whether the page could hold more links. */
  readonly isShort: boolean;
}

/** The list of a client's links. */
export function LinksPage(props: LinksPageProps) {
  const { client, query, found, form, hosts, campaigns } = props;
  const { cursor, ...filters } = query;
  const path = clientPath(client, 'links');
  const isFiltered = Object.keys(filters).length > 0;
  const isNew = found?.links.length === 0 && found.cursor === null && cursor === undefined && !isFiltered;
  return (
    <>
      <PageHeader
        title="Links"
        lead="All short links of this workspace, newest first."
        actions={
          <>
            <ButtonLink href={`${path}/files`}>Import or export</ButtonLink>
            <ButtonLink href={`${path}/new`} kind="primary">
              Create link
            </ButtonLink>
          </>
        }
      />
      {isNew ? (
        <EmptyState title="No links yet" action={<ButtonLink href={`${path}/new`}>Create link</ButtonLink>}>
          Create your first link here, import links from a file, or create them with the API.
        </EmptyState>
      ) : (
        <>
          <Filters {...{ form, hosts, campaigns, path, isFiltered }} />
          {found && <Found {...props} found={found} filters={filters} path={path} />}
        </>
      )}
    </>
  );
}

/** What `q` searches, such as "Destination, slug or title". */
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
  path,
  isFiltered,
}: {
  form: FormState;
  hosts: readonly string[];
  campaigns: readonly string[];
  path: string;
  isFiltered: boolean;
}) {
  const narrowed = ['campaign_name', 'sec_id', 'custom_domain', 'state'].some((name) => form.values[name]);
  const shared = { form, optional: true } as const;
  // A cursor has no field beside which its fault could be shown.
  const complaint = form.complaint ?? form.faults['cursor'];
  return (
    <form class="filters" method="get" action={path} role="search">
      {complaint && <Summary form={{ ...form, faults: {}, complaint }} />}
      <div class="search">
        <Field form={form} name="q" type="search" label="Search" placeholder={SEARCHED} optional />
        <Button kind="quiet">Search</Button>
        {isFiltered && <ButtonLink href={path}>Clear</ButtonLink>}
      </div>
      <details open={narrowed}>
        <summary>Filters</summary>
        <div class="filter-fields">
          <Field {...shared} name="campaign_name" label="Campaign" list={CAMPAIGNS} />
          <Campaigns names={campaigns} />
          <Field {...shared} name="sec_id" label="Secondary ID" code />
          {hosts.length > 0 && (
            <Select
              {...shared}
              name="custom_domain"
              label="Domain"
              options={[{ value: '', label: 'All' }, ...hosts.map((host) => ({ value: host, label: host }))]}
            />
          )}
          <Select {...shared} name="state" label="Status" options={STATE_OPTIONS} />
        </div>
      </details>
    </form>
  );
}

function Found({
  client,
  site,
  timeZone,
  query,
  filters,
  path,
  isShort,
  found: { links, cursor, lookedBackTo },
}: LinksPageProps & {
  readonly found: LinkPage;
  readonly filters: Readonly<Record<string, string>>;
  readonly path: string;
}) {
  const hasMore = cursor !== null;
  const next = cursor === null ? null : `${path}?${new URLSearchParams({ ...filters, cursor }).toString()}`;
  const first =
    query['cursor'] === undefined ? null : [path, new URLSearchParams(filters).toString()].filter(Boolean).join('?');
  const note = isShort && hasMore && lookedBackTo !== null && (
    <>
      Searched links back to <Time at={lookedBackTo} timeZone={timeZone} />.
    </>
  );
  return (
    <>
      {links.length > 0 ? (
        <LinkTable {...{ client, site, timeZone, query, links }} />
      ) : (
        <EmptyState title={hasMore ? 'No links found so far' : 'No links found'}>
          {hasMore
            ? 'Older links have not been searched yet.'
            : 'No link matches. Try a shorter search text or fewer filters. Deleted links are shown only with the status Deleted.'}
        </EmptyState>
      )}
      <Pager next={next} first={first} note={note} nextLabel={note ? 'Search older links' : 'Next page'} />
    </>
  );
}

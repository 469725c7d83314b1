import type { Site } from '../../domains/host.ts';
import type { ManyAction } from '../../links/edit-many.ts';
import type { LinkPage } from '../../links/list.ts';
import { LINK_STATES, type ManagedLink } from '../../links/managed.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { ConfirmPage } from '../kit/confirm.tsx';
import { CopyButton } from '../kit/copy.tsx';
import { Field, Hidden, Select } from '../kit/form.tsx';
import { Menu } from '../kit/menu.tsx';
import { EmptyState, Notice } from '../kit/notice.tsx';
import { PageHeader } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { linkPath } from './paths.ts';
import { StateBadge } from './state.tsx';

interface LinksPageProps {
  readonly client: OwnClient;
  readonly site: Site;
  readonly timeZone: string;
  /** The custom domains of the client. */
  readonly hosts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly form: FormState;
  /** Null where the question is at fault. */
  readonly found: LinkPage | null;
  /** Whether the page could hold more. */
  readonly isShort: boolean;
}

/** The list of a client's links. */
export function LinksPage(props: LinksPageProps) {
  const { client, query, found, form, hosts } = props;
  const { cursor, ...filters } = query;
  const path = clientPath(client, 'links');
  const isFiltered = Object.keys(filters).length > 0;
  const isNew = found?.links.length === 0 && found.cursor === null && cursor === undefined && !isFiltered;
  return (
    <>
      <PageHeader
        title="Links"
        lead="Every short link of this client, the newest first."
        actions={
          <>
            <ButtonLink href={`${path}/files`}>Import or export</ButtonLink>
            <ButtonLink href={`${path}/new`} kind="primary">
              New link
            </ButtonLink>
          </>
        }
      />
      {isNew ? (
        <EmptyState title="No links yet" action={<ButtonLink href={`${path}/new`}>New link</ButtonLink>}>
          Make the first one here, import a list of them, or let a program make them with an API key.
        </EmptyState>
      ) : (
        <>
          <Filters form={form} hosts={hosts} path={path} isFiltered={isFiltered} />
          {found && <Found {...props} found={found} filters={filters} path={path} />}
        </>
      )}
    </>
  );
}

const STATE_OPTIONS = [
  { value: '', label: 'All but deleted' },
  ...LINK_STATES.map((state) => ({ value: state, label: state.charAt(0).toUpperCase() + state.slice(1) })),
];

function Filters({
  form,
  hosts,
  path,
  isFiltered,
}: {
  form: FormState;
  hosts: readonly string[];
  path: string;
  isFiltered: boolean;
}) {
  const narrowed = ['campaign_name', 'sec_id', 'custom_domain', 'state'].some((name) => form.values[name]);
  const shared = { form, optional: true } as const;
  // Of a cursor there is no field to stand beside.
  const complaint = form.complaint ?? form.faults['cursor'];
  return (
    <form class="filters" method="get" action={path} role="search">
      {complaint && <Notice kind="danger">{complaint}</Notice>}
      <div class="search">
        <Field form={form} name="q" type="search" label="Search" placeholder="Part of a target or slug" optional />
        <Button kind="quiet">Search</Button>
        {isFiltered && <ButtonLink href={path}>Clear</ButtonLink>}
      </div>
      <details open={narrowed}>
        <summary>Filters</summary>
        <div class="filter-fields">
          <Field {...shared} name="campaign_name" label="Campaign" />
          <Field {...shared} name="sec_id" label="Secondary ID" code />
          {hosts.length > 0 && (
            <Select
              {...shared}
              name="custom_domain"
              label="Domain"
              options={[{ value: '', label: 'All' }, ...hosts.map((host) => ({ value: host, label: host }))]}
            />
          )}
          <Select {...shared} name="state" label="State" options={STATE_OPTIONS} />
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
      Searched back to <Time at={lookedBackTo} timeZone={timeZone} />.
    </>
  );
  return (
    <>
      {links.length > 0 ? (
        <form class="panel" method="get" action={`${path}/selected`} data-confirms>
          <Hidden name="back" value={new URLSearchParams(query).toString()} />
          <Table caption="Links" columns={columnsOf(client, site, timeZone)} rows={links} />
          <div class="with-selected">
            <label class="checkbox" hidden>
              <input type="checkbox" data-select-all />
              <span>Select all</span>
            </label>
            <span class="quiet">With those selected:</span>
            <Actions>
              {actionsFor(filters['state']).map((action) => (
                <Button kind="quiet" small name="do" value={action}>
                  {LABELS[action]}
                </Button>
              ))}
            </Actions>
          </div>
        </form>
      ) : (
        <EmptyState title={hasMore ? 'Nothing found so far' : 'Nothing found'}>
          {hasMore
            ? 'There are older links to look through.'
            : 'No link fits. Try a shorter part of it, or fewer filters. Deleted links show only when you ask for them.'}
        </EmptyState>
      )}
      <Pager next={next} first={first} note={note} nextLabel={note ? 'Keep looking' : 'Next page'} />
    </>
  );
}

const LABELS: Readonly<Record<ManyAction, string>> = {
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  restore: 'Restore',
};

function actionsFor(state: string | undefined): readonly ManyAction[] {
  if (state === 'deleted') return ['restore'];
  return state === 'disabled' ? ['enable', 'delete'] : ['disable', 'delete'];
}

/** A short link without its scheme, as people write it. */
export const shown = (shortUrl: string): string => shortUrl.replace(/^https?:\/\//, '');

function columnsOf(client: OwnClient, site: Site, timeZone: string): readonly Column<ManagedLink>[] {
  return [
    {
      label: 'Link',
      isWide: true,
      cell: (link) => {
        const shortUrl = shown(shortUrlOf(link, site));
        return (
          <div class="choice">
            <input type="checkbox" name="id" value={link.id} aria-label={`Select ${shortUrl}`} />
            <a class="two-lines" href={linkPath(client, link.id)}>
              <span class="cut">{shortUrl}</span>
              <span class="quiet cut">{link.url}</span>
            </a>
          </div>
        );
      },
    },
    { label: 'Campaign', cell: ({ campaignName }) => campaignName && <span class="campaign">{campaignName}</span> },
    { label: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    { label: 'Made', cell: ({ createdAt }) => <Time at={createdAt} timeZone={timeZone} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (link) => {
        const shortUrl = shortUrlOf(link, site);
        if (link.state === 'deleted') return null;
        return (
          <div class="row-actions">
            <CopyButton text={shortUrl} label={`Copy ${shown(shortUrl)}`} small />
            <Menu label={`QR code of ${shown(shortUrl)}`} summary="QR" end>
              <ul>
                <li>
                  <a href={linkPath(client, link.id, 'qr.svg?download=true')}>Download SVG</a>
                </li>
                <li>
                  <a href={linkPath(client, link.id, 'qr.png?download=true')}>Download PNG</a>
                </li>
              </ul>
            </Menu>
          </div>
        );
      },
    },
  ];
}

const QUESTIONS: Readonly<Record<ManyAction, string>> = {
  disable: 'Visitors are told that a link has ended, until it is enabled again.',
  enable: 'Visitors are led to the target again.',
  delete: 'Visitors are told that a link has ended. Within 30 days it can be restored.',
  restore: 'Visitors are led to the target again.',
};

const NAMED = 10;

/** Asks before something is done with many links. */
export function ConfirmMany({
  action,
  back,
  query,
  links,
}: {
  action: ManyAction;
  back: string;
  query: string;
  links: readonly { readonly id: string; readonly shortUrl: string }[];
}) {
  const what = links.length === 1 ? 'this link' : `${links.length} links`;
  return (
    <ConfirmPage
      title={`${LABELS[action]} ${what}?`}
      label={`${LABELS[action]} ${what}`}
      back={back}
      kind={action === 'delete' ? 'danger' : 'primary'}
      fields={
        <>
          <Hidden name="do" value={action} />
          <Hidden name="back" value={query} />
          {links.map(({ id }) => (
            <Hidden name="id" value={id} />
          ))}
        </>
      }
    >
      <p>{QUESTIONS[action]}</p>
      <ul class="named">
        {links.slice(0, NAMED).map(({ shortUrl }) => (
          <li class="cut">{shown(shortUrl)}</li>
        ))}
        {links.length > NAMED && <li class="quiet">and {links.length - NAMED} more</li>}
      </ul>
    </ConfirmPage>
  );
}
